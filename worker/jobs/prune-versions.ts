import type pg from 'pg'
import type { Clock } from '../clock.ts'
import { pruneByPages } from './prune-by-pages.ts'

/** The column with the end of a version, by table. */
const endColumns = { override_version: 'valid_to', plan_grant_version: 'valid_to', former_feature: 'deleted_at' }

type PruneOptions = { pool: pg.Pool; clock: Pick<Clock, 'sql'>; retentionDays: number; signal: AbortSignal }

/**
 * Deletes versions that ended before the retention period of the audit log. Records in the same commit that the history of
 * these organizations begins at the start of this period.
 */
export async function pruneVersions({ pool, clock, retentionDays, signal }: PruneOptions): Promise<void> {
  const { rows } = await pool.query<{ before: Date }>(`select ${clock.sql()} - $1 * interval '1 day' as before`, [
    retentionDays,
  ])
  for (const [table, end] of Object.entries(endColumns)) {
    await pruneByPages({ pool, table, signal }, async (pages) => {
      const { rowCount } = await pool.query(
        `with outdated as (
           delete from ${table} where ctid = any(array(select ctid from ${pages} where ${end} < $1))
           returning organization_id),
         marked as (
           insert into past_start as start (organization_id, since)
           select distinct organization_id, $1::timestamptz from outdated
               on conflict (organization_id) do update set since = greatest(start.since, excluded.since))
         select 1 from outdated`,
        [rows[0]?.before],
      )
      return rowCount ?? 0
    })
  }
}
