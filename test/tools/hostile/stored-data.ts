import type pg from 'pg'

export type StoredData = {
  /** Without the tables of the audit log's chain, where a worker writes about entries of earlier attacks. */
  bytes: number
  /** Entries of both audit logs: one for each recorded request and imported line. */
  entries: number
}

export async function readStoredData(pool: pg.Pool): Promise<StoredData> {
  const { rows } = await pool.query<StoredData>(
    `select pg_database_size(current_database())::float8 - (
              select sum(pg_total_relation_size(name)) from unnest('{audit_chain,audit_link,audit_event_unchained}'::regclass[]) name
            ) as bytes,
            (select count(*) from audit_event)::float8 + (select count(*) from user_audit_event) as entries`,
  )
  return rows[0] as StoredData
}

export function difference(after: StoredData, before: StoredData): StoredData {
  return { bytes: after.bytes - before.bytes, entries: after.entries - before.entries }
}
