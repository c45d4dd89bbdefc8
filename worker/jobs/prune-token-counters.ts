import type pg from 'pg'
import { Pace } from '../../src/fairness/pace.ts'
import type { Clock } from '../clock.ts'

const batches = { batchMs: 15, minRows: 100, maxRows: 1000 }

type PruneOptions = { pool: pg.Pool; clock: Clock; signal: AbortSignal }

/** Deletes the counters of subscribers that sent no request with a token for a minute. Skips rows that an eval has locked. */
export async function pruneTokenCounters({ pool, clock, signal }: PruneOptions): Promise<number> {
  return new Pace({ ...batches, signal }).drain(async (atMost) => {
    const { rows } = await pool.query(
      `delete from token_counter
        where (organization_id, subscriber_id) in (
              select organization_id, subscriber_id from token_counter
               where second < ${clock.sql()} - interval '1 minute' limit $1 for update skip locked)
      returning 1`,
      [atMost],
    )
    return rows
  })
}
