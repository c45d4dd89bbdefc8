import type { Pool } from 'pg'

/** Counts the bytes of a catalog that a test wrote directly to the database, as a write of the service would. */
export async function setCatalogBytes(pool: Pick<Pool, 'query'>, organizationId: string): Promise<void> {
  await pool.query(
    `update organization set catalog_bytes =
       (select coalesce(sum(64 + octet_length(name)), 0) from feature where organization_id = $1)
       + (select coalesce(sum(64 + coalesce(octet_length(value), 0)), 0) from plan_grant where organization_id = $1)
     where organization_id = $1`,
    [organizationId],
  )
}
