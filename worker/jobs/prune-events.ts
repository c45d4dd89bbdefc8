import type pg from 'pg'
import { encodeTime } from 'ulidx'
import type { Clock } from '../clock.ts'

const batchSize = 1000

export type PruneOptions = { pool: pg.Pool; clock: Clock; retentionDays: number }

/**
 * Deletes delivered and failed events, with their attempts, that ended before the retention period. Queued events
 * stay. Works in batches of one organization, found by the time in their ids; returns how many were deleted.
 */
export async function pruneEvents({ pool, clock, retentionDays }: PruneOptions): Promise<number> {
  const { rows } = await pool.query<{ before: Date }>(`select ${clock.sql()} - $1 * interval '1 day' as before`, [
    retentionDays,
  ])
  const before = (rows[0] as { before: Date }).before
  // No event ends before it is created, so the events to prune have earlier ids.
  const firstKept = encodeTime(Math.max(0, before.getTime() + 1), 10)

  let pruned = 0
  let organizationId = ''
  for (;;) {
    const next = await findNextOrganization(pool, organizationId)
    if (next === null) return pruned
    organizationId = next
    pruned += await pruneOrganization(pool, organizationId, { firstKept, before })
  }
}

async function findNextOrganization(pool: pg.Pool, after: string): Promise<string | null> {
  const { rows } = await pool.query(
    'select organization_id from webhook_event where organization_id > $1 order by organization_id limit 1',
    [after],
  )
  return rows[0]?.organization_id ?? null
}

type Range = { firstKept: string; before: Date }

/** A batch begins where the last one ended: while any other transaction is open, the index still leads to what was deleted. */
async function pruneOrganization(pool: pg.Pool, organizationId: string, { firstKept, before }: Range): Promise<number> {
  let pruned = 0
  let last = ''
  for (;;) {
    const { rows } = await pool.query<{ id: string }>(
      `delete from webhook_event
        where organization_id = $1 and event_id in (
              select event_id from webhook_event
               where organization_id = $1 and event_id > $4 and event_id < $2 and state <> 'queued' and finished_at < $3
               order by event_id limit ${batchSize}
                 for update skip locked)
        returning event_id as id`,
      [organizationId, firstKept, before, last],
    )
    pruned += rows.length
    if (rows.length < batchSize) return pruned
    last = rows.reduce((latest, { id }) => (id > latest ? id : latest), last)
  }
}
