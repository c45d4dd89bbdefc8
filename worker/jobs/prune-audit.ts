import type pg from 'pg'
import { encodeTime } from 'ulidx'
import { allowEntryDeletion, asynchronousCommit } from '../../src/database/sql.ts'
import { Pace } from '../../src/fairness/pace.ts'
import type { Clock } from '../clock.ts'
import { type CutOptions, cutChain } from './cut-chain.ts'
import { continueAfterFailure, type PruneFailureHandler } from './prune-failure.ts'

const batches = { batchMs: 15, minRows: 100, maxRows: 1000 }

type PruneOptions = CutOptions & {
  clock: Clock
  retentionDays: number
  signal: AbortSignal
  onFailure?: PruneFailureHandler
}

/**
 * Deletes entries of both audit logs that are older than the retention, by the time in their ids, in batches of one
 * organization or person, until all are deleted or the signal aborts. Entries of an organization are deleted from the beginning
 * of its chain, so an entry is deleted only after it is chained. If `onFailure` is given, it gets the failure of an organization
 * or person, and the others continue. Returns how many were deleted.
 */
export async function pruneAudit(options: PruneOptions): Promise<number> {
  const { pool, clock, retentionDays, signal, onFailure } = options
  const { rows } = await pool.query<{ before: Date }>(`select ${clock.sql()} - $1 * interval '1 day' as before`, [
    retentionDays,
  ])
  const firstKept = encodeTime(Math.max(0, (rows[0] as { before: Date }).before.getTime()), 10)
  const pace = new Pace({ ...batches, signal })
  let pruned = 0
  for (let id = await findOrganization(pool, ''); id !== null && !pace.isEnded; id = await findOrganization(pool, id)) {
    const organizationId = id
    await continueAfterFailure(onFailure, `organization ${id}`, async () => {
      for (let hasMore = true; hasMore && !pace.isEnded; ) {
        const { taken } = await pace.batch(async (atMost) => {
          const cut = await cutChain(options, organizationId, firstKept, atMost)
          hasMore = cut.hasMore
          return cut.entries
        })
        pruned += taken.length
      }
    })
  }
  for (let id = await findPerson(pool, ''); id !== null && !pace.isEnded; id = await findPerson(pool, id)) {
    const userId = id
    await continueAfterFailure(onFailure, `person ${id}`, async () => {
      pruned += await prunePerson(pool, pace, userId, firstKept)
    })
  }
  return pruned
}

/** Finds the next organization with a chain: organizations without a chain have no entries to delete. */
async function findOrganization(pool: pg.Pool, after: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `select organization_id as id from audit_chain where organization_id > $1 order by organization_id limit 1`,
    [after],
  )
  return rows[0]?.id ?? null
}

async function findPerson(pool: pg.Pool, after: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `select user_id as id from user_audit_event where user_id > $1 order by user_id limit 1`,
    [after],
  )
  return rows[0]?.id ?? null
}

/** Each batch begins where the previous batch ended, as in prune-events.ts. */
async function prunePerson(pool: pg.Pool, pace: Pace, userId: string, firstKept: string): Promise<number> {
  let last = ''
  return pace.drain(async (atMost) => {
    const { rows } = await pool.query<{ id: string }>(
      `with setting as materialized (select ${asynchronousCommit}, ${allowEntryDeletion})
       delete from user_audit_event using setting
        where user_id = $1 and audit_event_id in (
              select audit_event_id from user_audit_event
               where user_id = $1 and audit_event_id > $2 and audit_event_id < $3 order by audit_event_id limit $4)
       returning audit_event_id as id`,
      [userId, last, firstKept, atMost],
    )
    last = rows.reduce((latest, { id }) => (id > latest ? id : latest), last)
    return rows
  })
}
