import type pg from 'pg'
import { encodeTime } from 'ulidx'
import { mayDeleteEntries, withoutDisk } from '../../src/database/sql.ts'
import { Pace } from '../../src/fairness/pace.ts'
import type { Clock } from '../clock.ts'
import { auditSource, bytesOf } from './stored-sources.ts'

const batches = { batchMs: 15, leastRows: 100, mostRows: 1000 }

type PruneOptions = { pool: pg.Pool; clock: Clock; retentionDays: number; signal: AbortSignal }

/** One of the two logs: whose entries it has, and a statement that deletes some of them. */
type Log = { table: string; owner: string; deleteBatch: string }

/** The entries $1's between the ids $2 and $3, at most $4. A batch begins where the last one ended, as in prune-events.ts. */
function gone(table: string, owner: string, returned: string): string {
  return `
    with setting as materialized (select ${withoutDisk}, ${mayDeleteEntries}),
    gone as (
      delete from ${table} using setting
       where ${owner} = $1 and audit_event_id in (
             select audit_event_id from ${table}
              where ${owner} = $1 and audit_event_id > $2 and audit_event_id < $3 order by audit_event_id limit $4)
      returning audit_event_id, ${returned})`
}

const logs: readonly Log[] = [
  {
    table: 'audit_event',
    owner: 'organization_id',
    // What stands beside the entries goes with them, and is no longer counted as stored.
    deleteBatch: `${gone('audit_event', 'organization_id', `created_id, ${bytesOf(auditSource)} as bytes`)},
    pending as (
      delete from audit_event_pending using gone
       where organization_id = $1 and audit_event_pending.audit_event_id = gone.audit_event_id),
    creation as (
      delete from audit_event_creation creation using gone
       where organization_id = $1 and creation.created_id = gone.created_id
         and creation.audit_event_id = gone.audit_event_id),
    counted as (
      update stored_bytes stored set audit = greatest(0, audit - freed), total = greatest(0, total - freed)
        from (select coalesce(sum(bytes), 0)::bigint as freed, max(audit_event_id) as last from gone) freed
       where organization_id = $1 and last <= audit_until)
    select audit_event_id as id from gone`,
  },
  {
    table: 'user_audit_event',
    owner: 'user_id',
    deleteBatch: `${gone('user_audit_event', 'user_id', '1')} select audit_event_id as id from gone`,
  },
]

/**
 * Deletes the entries of both audit logs that are older than the retention, by the time in their ids: in batches of one
 * organization or person, until it is done or the signal aborts. Returns how many were deleted.
 */
export async function pruneAudit({ pool, clock, retentionDays, signal }: PruneOptions): Promise<number> {
  const { rows } = await pool.query<{ before: Date }>(`select ${clock.sql()} - $1 * interval '1 day' as before`, [
    retentionDays,
  ])
  const firstKept = encodeTime(Math.max(0, (rows[0] as { before: Date }).before.getTime()), 10)
  const pace = new Pace({ ...batches, signal })
  let pruned = 0
  for (const log of logs) {
    for (let owner = await findNext(pool, log, ''); owner !== null && !pace.isEnded; ) {
      pruned += await pruneOf(pool, pace, log, owner, firstKept)
      owner = await findNext(pool, log, owner)
    }
  }
  return pruned
}

async function findNext(pool: pg.Pool, { table, owner }: Log, after: string): Promise<string | null> {
  const { rows } = await pool.query<{ owner: string }>(
    `select ${owner} as owner from ${table} where ${owner} > $1 order by ${owner} limit 1`,
    [after],
  )
  return rows[0]?.owner ?? null
}

function pruneOf(pool: pg.Pool, pace: Pace, { deleteBatch }: Log, owner: string, firstKept: string): Promise<number> {
  let last = ''
  return pace.drain(async (atMost) => {
    const { rows } = await pool.query<{ id: string }>(deleteBatch, [owner, last, firstKept, atMost])
    last = rows.reduce((latest, { id }) => (id > latest ? id : latest), last)
    return rows
  })
}
