import type pg from 'pg'
import { encodeTime } from 'ulidx'
import { asynchronousCommit } from '../../src/database/sql.ts'
import { Pace } from '../../src/fairness/pace.ts'
import type { Clock } from '../clock.ts'
import { continueAfterFailure, type PruneFailureHandler } from './prune-failure.ts'

const batches = { batchMs: 15, minRows: 100, maxRows: 1000 }

type PruneOptions = {
  pool: pg.Pool
  clock: Clock
  retentionDays: number
  signal: AbortSignal
  onFailure?: PruneFailureHandler
}

/**
 * Deletes delivered and failed events that ended before the retention period, with their attempts. Queued events stay. Works
 * in batches of one organization, by the time in the events' ids, until all are deleted or the signal aborts. If `onFailure` is
 * given, it gets the failure of an organization, and the others continue. Returns how many were deleted.
 */
export async function pruneEvents({ pool, clock, retentionDays, signal, onFailure }: PruneOptions): Promise<number> {
  const { rows } = await pool.query<{ before: Date }>(`select ${clock.sql()} - $1 * interval '1 day' as before`, [
    retentionDays,
  ])
  const before = (rows[0] as { before: Date }).before
  // An event is created before it ends, so the events to prune have ids before this one.
  const firstKept = encodeTime(Math.max(0, before.getTime() + 1), 10)

  const pace = new Pace({ ...batches, signal })
  let pruned = 0
  let organizationId = await findNextOrganization(pool, '')
  while (organizationId !== null && !pace.isEnded) {
    const range = { organizationId, firstKept, before }
    await continueAfterFailure(onFailure, `organization ${organizationId}`, async () => {
      pruned += await pruneOrganization(pool, pace, range)
    })
    organizationId = await findNextOrganization(pool, organizationId)
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

/**
 * Each batch begins where the previous batch ended, because the index keeps deleted rows until older transactions end, and
 * because any number of events may be queued.
 */
async function pruneOrganization(pool: pg.Pool, pace: Pace, range: Range): Promise<number> {
  let [last, pruned] = ['', 0]
  await pace.drain(async (atMost) => {
    const events = await deleteBatch(pool, { ...range, last, atMost })
    last = events.reduce((latest, { id }) => (id > latest ? id : latest), last)
    pruned += events.filter(({ isDeleted }) => isDeleted).length
    return events
  })
  return pruned
}

type Batch = Range & { last: string; atMost: number }

/**
 * Reads the next events and deletes those that may be deleted. Returns all that it read. The commit does not wait for the disk:
 * after a crash of PostgreSQL, lost deletions are repeated.
 */
async function deleteBatch(pool: pg.Pool, { organizationId, firstKept, before, last, atMost }: Batch) {
  const { rows } = await pool.query<{ id: string; isDeleted: boolean }>(
    `with setting as materialized (select ${asynchronousCommit}),
     read as materialized (
       select event_id from webhook_event
        where organization_id = $1 and event_id > $4 and event_id < $2 order by event_id limit $5),
     deleted as (
       delete from webhook_event using setting
        where organization_id = $1 and event_id = any(array(
              select event_id from webhook_event
               where organization_id = $1 and event_id = any(array(select event_id from read))
                 and state <> 'queued' and finished_at < $3
                 for update skip locked))
       returning event_id)
     select event_id as id, deleted.event_id is not null as "isDeleted" from read left join deleted using (event_id)`,
    [organizationId, firstKept, before, last, atMost],
  )
  return rows
}
