import type pg from 'pg'
import { Pace } from '../../src/fairness/pace.ts'
import type { Clock } from '../clock.ts'

const batches = { batchMs: 15, minRows: 100, maxRows: 1000 }

type PruneOptions = { pool: pg.Pool; clock: Clock; retentionHours: number; signal: AbortSignal }

/**
 * Deletes changes an hour after the retention period, so that a cursor that is still accepted misses no change that a long
 * transaction committed late. Records the latest deleted transaction in the same commit, so that older cursors are reset. Also
 * deletes the follower counts of processes that ended a day ago.
 */
export async function pruneChanges({ pool, clock, retentionHours, signal }: PruneOptions): Promise<number> {
  await pool.query(`delete from follower_count where told_at < ${clock.sql()} - interval '1 day'`)
  return new Pace({ ...batches, signal }).drain(async (atMost) => {
    const { rows } = await pool.query(
      `with pruned as (
         delete from change
          where (organization_id, transaction_id, change_id) in (
                select organization_id, transaction_id, change_id from change
                 where written_at < ${clock.sql()} - ($1 + 1) * interval '1 hour' order by written_at limit $2)
         returning transaction_id),
       marked as (
         update change_epoch set pruned_until = greatest(pruned_until, (select max(transaction_id) from pruned))
          where exists (select from pruned))
       select transaction_id from pruned`,
      [retentionHours, atMost],
    )
    return rows
  })
}
