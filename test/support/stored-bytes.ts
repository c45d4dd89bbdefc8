import type { Pool } from 'pg'

/** Sets the count as if a worker had just found this many stored bytes; with the organization's own cap if given. */
export async function setStoredBytes(
  pool: Pick<Pool, 'query'>,
  organizationId: string,
  { total, cap = null }: { total: number; cap?: number | null },
): Promise<void> {
  await pool.query(
    `insert into stored_bytes (organization_id, other, total, cap, counted_at) values ($1, $2, $2, $3, clock_timestamp())
     on conflict (organization_id) do update
       set other = excluded.other, total = excluded.total, cap = excluded.cap, counted_at = excluded.counted_at`,
    [organizationId, total, cap],
  )
}
