import type pg from 'pg'
import { Pace } from '../../src/fairness/pace.ts'
import { usageRetentionDays } from '../../src/gate/feature-usage/load-feature-usage.ts'
import type { Clock } from '../clock.ts'

const batches = { batchMs: 15, minRows: 100, maxRows: 1000 }

type PruneOptions = { pool: pg.Pool; clock: Clock; signal: AbortSignal }

/** Deletes counts of checks by feature that are older than 100 days. */
export async function pruneFeatureUsage({ pool, clock, signal }: PruneOptions): Promise<number> {
  const pace = new Pace({ ...batches, signal })
  return pace.drain(async (atMost) => {
    const { rows } = await pool.query(
      `delete from feature_usage_day
        where ctid = any(array(
              select ctid from feature_usage_day where date < (${clock.sql()} at time zone 'UTC')::date - $1::int limit $2))
       returning 1`,
      [usageRetentionDays, atMost],
    )
    return rows
  })
}
