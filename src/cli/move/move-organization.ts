import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { isMoved, movedForGoodMark, movedMark, organizationMovedType } from '../../access/organization-move.ts'
import { firstIdAt, newId } from '../../core/ids.ts'
import { StartupError } from '../../core/startup-error.ts'
import type { Database } from '../../database/client.ts'
import { beginSnapshot } from '../../database/stored-tables.ts'
import { changesChannel } from '../../events/wakes.ts'
import { maxIdSkewMs } from '../../recording/entry.ts'
import { deleteOrganizationRows } from '../delete-organization.ts'
import type { ShowProgress } from '../with-progress.ts'
import { type CatchUpRows, type Copy, copyLargeTables, copyRemainingTables } from './copy-rows.ts'
import { copyPeople, matchPeople } from './people.ts'
import { maxRequestMs, waitForRunningTransactions, waitForRunningWork } from './wait-for-running.ts'

const leaseMs = 15_000
/** Tables whose rows stay here, so that keys get 503 and not 401 if a proxy still sends their requests here. */
const keptTables = ['organization', 'member', 'service_account', 'api_key']

export type Move = {
  organizationId: string
  samePeople: boolean
  /** Separate connections, because locks and transactions must not mix. */
  source: pg.Client
  target: pg.Client
  /** A pool to renew the mark during the move, and to delete rows. */
  sourceDatabase: Database
  targetDatabase: Database
  log(line: string): void
  show: ShowProgress
  /** Called as soon as the other installation serves the organization. */
  reroute(): Promise<void>
  /** How long requests that were authenticated before the switch may still run. */
  requestMs?: number
}

/*
 * | Step                                            | If the command is killed after it                        |
 * |-------------------------------------------------|----------------------------------------------------------|
 * | mark the members for some seconds; renew it     | the mark expires, and writes run again                   |
 * | copy the large tables                           | the same; the next run deletes the copies                |
 * | mark the members as moved                       | 503 until the next run, which serves it here again       |
 * | copy the other rows in one transaction there    | it is served there; the next run deletes the rows here   |
 * | delete the rows here, except the keys           | the same                                                 |
 */

/** Moves the organization, or continues where an earlier run ended. Returns how many rows were copied before the switch. */
export async function moveOrganization(move: Move): Promise<number> {
  const { source, organizationId, requestMs = maxRequestMs } = move
  // Waits for another move of this organization, and for the last statement of a killed command.
  await source.query(`select pg_advisory_lock(hashtextextended('org:move ' || $1, 0))`, [organizationId])
  let copied = 0
  if (!(await completeOrRevertSwitch(move))) copied = await copyAndSwitch(move)
  await source.query(`update member set moving_until = ${movedForGoodMark} where organization_id = $1`, [
    organizationId,
  ])
  await move.reroute()
  move.log('The other installation now serves the organization. Deleting its rows here …')
  await wait(requestMs)
  await deleteOrganizationRows({ pool: move.sourceDatabase.pool, organizationId, kept: keptTables, show: move.show })
  await deletePeople(source, organizationId)
  return copied
}

/** Deletes the people. Without service accounts, keeps one member without its person, because only members have the mark. */
async function deletePeople(source: pg.Client, organizationId: string): Promise<void> {
  await source.query('begin')
  await source.query(
    `delete from member
      where organization_id = $1 and service_account_id is null
        and member_id <> (select member_id from member where organization_id = $1
                           order by service_account_id is null, member_id limit 1)`,
    [organizationId],
  )
  await source.query(
    `update member set user_id = null, display_name = '' where organization_id = $1 and service_account_id is null`,
    [organizationId],
  )
  await source.query('update organization set creator_id = null where organization_id = $1', [organizationId])
  await source.query('commit')
}

/** Whether the switch has happened. If it began but did not complete, this serves the organization here again. */
async function completeOrRevertSwitch({ source, target, organizationId }: Move): Promise<boolean> {
  await target.query('begin')
  await lockAtTarget(target, organizationId)
  const isServedThere = await isServed(target, organizationId)
  await target.query('commit')
  if (isServedThere) {
    if (await isServed(source, organizationId))
      throw new StartupError(`Both databases have the organization ${organizationId}, so nothing was moved.`)
    return true
  }
  await assertHasNotMoved(source, organizationId)
  await source.query('begin')
  await source.query('update member set moving_until = null where organization_id = $1', [organizationId])
  await source.query('delete from change where organization_id = $1 and type = $2', [
    organizationId,
    organizationMovedType,
  ])
  await source.query('commit')
  return false
}

/** Throws if an earlier run completed the switch. That of version 0.2.0 set no `movedForGoodMark`, but deleted the counter. */
async function assertHasNotMoved(source: pg.Client, organizationId: string): Promise<void> {
  const { rows } = await source.query(
    `select from member
      where organization_id = $1 and ${isMoved('member')}
        and (moving_until = ${movedForGoodMark} or not exists (select from eval_counter where organization_id = $1))
      limit 1`,
    [organizationId],
  )
  if (rows.length === 0) return
  throw new StartupError(
    `The organization ${organizationId} has been moved from here, and the database of --to does not have it: it was moved on, or deleted. If it was moved on, give --to the database that has it now. If it was deleted, delete the rows that are left here, as docs/operations/groups.md describes.`,
  )
}

/** Takes the lock that the switch holds: afterwards, no switch of a killed command can still commit. */
async function lockAtTarget(target: pg.Client, organizationId: string): Promise<void> {
  await target.query(`select pg_advisory_xact_lock(hashtextextended('org:move ' || $1, 0))`, [organizationId])
}

async function isServed(client: pg.Client, organizationId: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from member where organization_id = $1 and not ${isMoved('member')} limit 1`,
    [organizationId],
  )
  return rows.length > 0
}

async function copyAndSwitch(move: Move): Promise<number> {
  const { source, target, targetDatabase, organizationId, log, show } = move
  await matchPeople(source, target, move)
  await deleteOrganizationRows({ pool: targetDatabase.pool, organizationId, show })
  log('Writes to the organization are refused from now on …')
  const renewing = await beginMoving(move)
  try {
    await waitForRunningTransactions(source)
    await waitForRunningWork(source, organizationId)
    await source.query(beginSnapshot)
    const copy: Copy = { source, target, organizationId, catchUp: await findCatchUpRows(source, organizationId), show }
    const copied = await copyLargeTables(copy)
    await source.query('commit')
    log(`Copied ${copied} rows. Its evals are answered with 503 for a moment …`)
    await endRenewal(renewing)
    await markMembersAsMoved(move)
    await finishAtTarget(move, copy)
    return copied
  } catch (error) {
    await endRenewal(renewing)
    await Promise.allSettled([source.query('rollback'), target.query('rollback')])
    // If this fails too, the next run restores the organization here, and deletes the copies.
    const isServedThere = await completeOrRevertSwitch(move).catch(() => null)
    if (isServedThere) return 0
    if (isServedThere === false)
      await deleteOrganizationRows({ pool: targetDatabase.pool, organizationId, show }).catch(() => {})
    throw error
  }
}

type LeaseRenewal = { timer: NodeJS.Timeout; last: Promise<unknown> }

/** Waits for running writes, sets the mark, which later writes find, and begins to renew it. */
async function beginMoving({ source, sourceDatabase, organizationId }: Move): Promise<LeaseRenewal> {
  await source.query('begin')
  await source.query('select from organization where organization_id = $1 for update', [organizationId])
  await assertIsNotBeingDeleted(source, organizationId)
  const { rows } = await source.query<{ member_id: string }>(
    'select member_id from member where organization_id = $1 order by member_id',
    [organizationId],
  )
  for (const { member_id } of rows)
    await source.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`${organizationId}/${member_id}`])
  await source.query(`update member set moving_until = ${leaseEnd} where organization_id = $1`, [organizationId])
  await source.query('commit')
  const renewing: LeaseRenewal = { timer: setInterval(renew, leaseMs / 5), last: Promise.resolve() }
  function renew() {
    renewing.last = sourceDatabase.pool
      .query(
        `update member set moving_until = ${leaseEnd}
          where organization_id = $1 and moving_until > clock_timestamp() and not ${isMoved('member')}`,
        [organizationId],
      )
      .catch(() => {})
  }
  return renewing
}

async function assertIsNotBeingDeleted(source: pg.Client, organizationId: string): Promise<void> {
  const { rows } = await source.query(
    'select from deleted_organization where organization_id = $1 and finished_at is null',
    [organizationId],
  )
  if (rows.length === 0) return
  throw new StartupError(
    `The organization ${organizationId} is being deleted, so nothing was moved. If org:delete was stopped, run it again.`,
  )
}

const leaseEnd = `clock_timestamp() + interval '${leaseMs} milliseconds'`

async function endRenewal(renewing: LeaseRenewal): Promise<void> {
  clearInterval(renewing.timer)
  await renewing.last
}

async function findCatchUpRows(source: pg.Client, organizationId: string): Promise<CatchUpRows> {
  const { rows } = await source.query<{ now: Date; pending: string[]; position: string; fromDate: string }>(
    `select clock_timestamp() as now, ((clock_timestamp() at time zone 'UTC')::date - 1)::text as "fromDate",
            array(select audit_event_id from audit_event_unchained join audit_event using (organization_id, audit_event_id)
                   where organization_id = $1 and outcome = 'pending') as pending,
            coalesce((select max(position) from audit_link where organization_id = $1), 0)::text as position`,
    [organizationId],
  )
  const { now, ...others } = rows[0] as (typeof rows)[number]
  return { fromId: firstIdAt(now.getTime() - 2 * maxIdSkewMs), ...others }
}

/** From this commit on, the organization is not served here. Fails if the mark had expired: writes may have happened since. */
async function markMembersAsMoved({ source, organizationId }: Move): Promise<void> {
  await source.query('begin')
  const { rows } = await source.query(
    `update member set moving_until = ${movedMark}
      where organization_id = $1 and moving_until > clock_timestamp() returning 1`,
    [organizationId],
  )
  const { rows: all } = await source.query('select from member where organization_id = $1', [organizationId])
  // The organization may have been deleted while the mark had expired.
  if (all.length === 0)
    throw new StartupError(`The organization ${organizationId} has been deleted, so nothing was moved.`)
  if (rows.length !== all.length) {
    await source.query('rollback')
    throw new StartupError('The database did not answer in time, so nothing was moved. Run the command again.')
  }
  await source.query(`insert into change (organization_id, change_id, type, body) values ($1, $2, $3, '{}')`, [
    organizationId,
    newId(),
    organizationMovedType,
  ])
  await source.query('select pg_notify($1, $2)', [changesChannel, organizationId])
  await source.query('commit')
}

/** Copies the remaining rows, which nobody changes any more, in one transaction at the target: its commit is the switch. */
async function finishAtTarget(move: Move, copy: Copy): Promise<void> {
  const { source, target, organizationId } = move
  // Running evals must be counted first.
  await waitForRunningTransactions(source)
  await source.query(beginSnapshot)
  await target.query('begin')
  await lockAtTarget(target, organizationId)
  const people = await matchPeople(source, target, move)
  await copyPeople(source, target, people)
  await copyRemainingTables(copy, people)
  await copySigningKeys(source, target)
  await target.query('commit')
  await source.query('commit')
}

/** Copies the public keys with which third parties verify signatures. A key that the target already has is the same key. */
async function copySigningKeys(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ row: object }>('select to_jsonb(signing_key) as row from signing_key')
  await target.query(
    `insert into signing_key select * from jsonb_populate_recordset(null::signing_key, $1) on conflict do nothing`,
    [JSON.stringify(rows.map(({ row }) => row))],
  )
}
