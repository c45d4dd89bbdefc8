import type pg from 'pg'
import { usageRetentionDays } from '../../src/gate/feature-usage/load-feature-usage.ts'
import type { Clock } from '../clock.ts'
import { pruneByPages } from './prune-by-pages.ts'

type PruneOptions = { pool: pg.Pool; clock: Clock; signal: AbortSignal }

/** Deletes counts of checks by feature that are older than 100 days. Returns how many were deleted. */
export async function pruneFeatureUsage({ pool, clock, signal }: PruneOptions): Promise<number> {
  return pruneByPages({ pool, table: 'feature_usage_day', signal }, async (pages) => {
    const { rowCount } = await pool.query(
      `delete from feature_usage_day
        where ctid = any(array(
              select ctid from ${pages} where date < (${clock.sql()} at time zone 'UTC')::date - $1::int))`,
      [usageRetentionDays],
    )
    return rowCount ?? 0
  })
}
