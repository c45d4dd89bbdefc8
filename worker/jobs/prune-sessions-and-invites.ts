import type pg from 'pg'
import { Pace } from '../../src/fairness/pace.ts'
import type { Clock } from '../clock.ts'

const batches = { batchMs: 15, minRows: 100, maxRows: 1000 }
const retentionDays = 30

type PruneOptions = { pool: pg.Pool; clock: Clock; signal: AbortSignal }

/** The tables whose rows expire at `expires_at`, each with its unique column. */
const tables = { console_session: 'session_hash', user_session: 'session_hash', invite: 'token_hash' }

/** Deletes sessions and invites 30 days after they expired. A row that a person ends is deleted at once, elsewhere. */
export async function pruneSessionsAndInvites({ pool, clock, signal }: PruneOptions): Promise<number> {
  const pace = new Pace({ ...batches, signal })
  let pruned = 0
  for (const [table, hash] of Object.entries(tables)) {
    pruned += await pace.drain(async (atMost) => {
      const { rows } = await pool.query(
        `delete from ${table}
          where ${hash} in (
                select ${hash} from ${table}
                 where expires_at < ${clock.sql()} - $1 * interval '1 day' limit $2 for update skip locked)
         returning 1`,
        [retentionDays, atMost],
      )
      return rows
    })
  }
  return pruned
}
