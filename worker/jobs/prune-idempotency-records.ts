import type pg from 'pg'
import { Pace } from '../../src/fairness/pace.ts'
import { retentionHours } from '../../src/recording/idempotency-record.ts'
import type { Clock } from '../clock.ts'

const batches = { batchMs: 15, minRows: 100, maxRows: 1000 }

type PruneOptions = { pool: pg.Pool; clock: Clock; signal: AbortSignal }

/** Deletes idempotency records: answers that are no longer repeated, and reservations of requests that were cut off. */
export async function pruneIdempotencyRecords({ pool, clock, signal }: PruneOptions): Promise<number> {
  return new Pace({ ...batches, signal }).drain(async (atMost) => {
    const { rows } = await pool.query(
      `delete from kept_answer
        where (organization_id, member_id, idempotency_key) in (
              select organization_id, member_id, idempotency_key from kept_answer
               where reserved_at < ${clock.sql()} - $1 * interval '1 hour' order by reserved_at limit $2
                 for update skip locked)
       returning 1`,
      [retentionHours, atMost],
    )
    return rows
  })
}
