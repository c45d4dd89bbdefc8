import type pg from 'pg'
import { encodeTime } from 'ulidx'
import { asynchronousCommit } from '../../src/database/sql.ts'
import { Pace } from '../../src/fairness/pace.ts'
import type { Clock } from '../clock.ts'

const batches = { batchMs: 15, minRows: 100, maxRows: 1000 }

type PruneOptions = { pool: pg.Pool; clock: Clock; retentionDays: number; signal: AbortSignal }

/**
 * Deletes delivered and failed events that ended before the retention period, with their attempts. Queued events stay. Works
 * in batches of one organization, by the time in the events' ids, until all are deleted or the signal aborts. Returns how many
 * were deleted.
 */
export async function pruneEvents({ pool, clock, retentionDays, signal }: PruneOptions): Promise<number> {
  const { rows } = await pool.query<{ before: Date }>(`select ${clock.sql()} - $1 * interval '1 day' as before`, [
    retentionDays,
  ])
  const before = (rows[0] as { before: Date }).before
  // An event is created before it ends, so the events to prune have ids before this one.
  const firstKept = encodeTime(Math.max(0, before.getTime() + 1), 10)

  const pace = new Pace({ ...batches, signal })
  let pruned = 0
  let organizationId: string | null = ''
  while (!pace.isEnded) {
    organizationId = await findNextOrganization(pool, organizationId)
    if (organizationId === null) break
    pruned += await pruneOrganization(pool, pace, { organizationId, firstKept, before })
  }
  return pruned
}

async function findNextOrganization(pool: pg.Pool, after: string): Promise<string | null> {
  const { rows } = await pool.query(
    'select organization_id from webhook_event where organization_id > $1 order by organization_id limit 1',
    [after],
  )
  return rows[0]?.organization_id ?? null
}

type Range = { organizationId: string; firstKept: string; before: Date }

/** Each batch begins where the previous batch ended, because the index keeps deleted rows until older transactions end. */
function pruneOrganization(pool: pg.Pool, pace: Pace, range: Range): Promise<number> {
  let last = ''
  return pace.drain(async (atMost) => {
    const ids = await deleteBatch(pool, { ...range, last, atMost })
    last = ids.reduce((latest, id) => (id > latest ? id : latest), last)
    return ids
  })
}

type Batch = Range & { last: string; atMost: number }

/** Returns the deleted ids. The commit does not wait for the disk: after a crash of PostgreSQL, lost deletions are repeated. */
async function deleteBatch(
  pool: pg.Pool,
  { organizationId, firstKept, before, last, atMost }: Batch,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with setting as materialized (select ${asynchronousCommit})
     delete from webhook_event using setting
      where organization_id = $1 and event_id in (
            select event_id from webhook_event
             where organization_id = $1 and event_id > $4 and event_id < $2 and state <> 'queued' and finished_at < $3
             order by event_id limit $5
               for update skip locked)
      returning event_id as id`,
    [organizationId, firstKept, before, last, atMost],
  )
  return rows.map(({ id }) => id)
}
