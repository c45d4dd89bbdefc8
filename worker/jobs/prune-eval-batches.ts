import type pg from 'pg'
import type { Clock } from '../clock.ts'

/** Deletes the rows of connections that have counted no eval for a day: no process asks for their last batches any more. */
export async function pruneEvalBatches({ pool, clock }: { pool: pg.Pool; clock: Clock }): Promise<number> {
  const { rowCount } = await pool.query(`delete from eval_batch where counted_at < ${clock.sql()} - interval '1 day'`)
  return rowCount ?? 0
}
