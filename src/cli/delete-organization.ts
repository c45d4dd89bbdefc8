import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { waitForRunningWrites } from '../access/rights.ts'
import { StartupError } from '../core/startup-error.ts'
import type { Database } from '../database/client.ts'
import { allowEntryDeletion, asynchronousCommit, withoutVersions } from '../database/sql.ts'
import { isOrganization, loadOrganizationTables } from '../database/stored-tables.ts'
import { Pace } from '../fairness/pace.ts'
import { isBeingMoved } from '../modules/organizations/organization.ts'
import { describeMovedOrganization } from './command.ts'
import type { ShowProgress } from './with-progress.ts'

const batchLimits = { batchMs: 50, minRows: 500, maxRows: 10_000, signal: new AbortController().signal }
/** The maximum duration of a request: after this time, every request that was authenticated earlier has ended. */
const maxRequestMs = 10_000
/** How long the revocation waits for running writes. */
const revokeTimeoutMs = 60_000

/**
 * Deletes an organization with all its rows; returns how many rows there were. Throws a `StartupError` if the organization is
 * being moved, or has been moved: it would stay at the other installation. First revokes its keys and sessions, so that new
 * requests get 401. Then deletes the rows in batches, referring rows first, and the organization last, so that an interrupted
 * deletion can continue. Finally deletes the rows that the last requests added.
 */
export async function deleteOrganization(
  database: Database,
  organizationId: string,
  show: ShowProgress,
): Promise<bigint> {
  show('ending its keys and sessions')
  await revokeAll(database, organizationId)
  const revokedAt = performance.now()
  await deleteOrganizationRows({ pool: database.pool, organizationId, show })
  show('waiting until running requests have ended')
  await wait(Math.max(0, maxRequestMs - (performance.now() - revokedAt)))
  await deleteOrganizationRows({ pool: database.pool, organizationId, show })
  const { rows } = await database.pool.query<{ rows: string }>(
    `update deleted_organization set finished_at = clock_timestamp() where organization_id = $1 returning rows`,
    [organizationId],
  )
  return BigInt(rows[0]?.rows ?? 0)
}

async function revokeAll({ prisma }: Database, organizationId: string): Promise<void> {
  const where = { organizationId }
  await prisma.$transaction(
    async (tx) => {
      // `org:move` takes this lock before it marks the members and looks for a running deletion.
      await tx.$executeRaw`select from organization where organization_id = ${organizationId} for update`
      if (await isBeingMoved(tx, organizationId)) throw new StartupError(describeMovedOrganization(organizationId))
      await tx.$executeRaw`
        insert into deleted_organization as known (organization_id, started_at) values (${organizationId}, clock_timestamp())
            on conflict (organization_id) do update
           set started_at = excluded.started_at, finished_at = null,
               rows = case when known.finished_at is null then known.rows else 0 end`
      const members = await tx.member.findMany({ where, select: { id: true } })
      await waitForRunningWrites(
        tx,
        members.map(({ id }) => ({ organizationId, memberId: id })),
      )
      await tx.apiKey.deleteMany({ where })
      await tx.consoleSession.deleteMany({ where })
      await tx.invite.deleteMany({ where })
      await tx.userMembership.deleteMany({ where })
      await tx.member.updateMany({ where, data: { status: 'disabled' } })
      await tx.webhookEndpoint.deleteMany({ where })
    },
    { timeout: revokeTimeoutMs },
  )
}

type DeleteOptions = {
  pool: pg.Pool
  organizationId: string
  /** Tables whose rows are kept. */
  kept?: readonly string[]
  show: ShowProgress
}

export async function deleteOrganizationRows({ pool, organizationId, kept = [], show }: DeleteOptions): Promise<void> {
  const tables = await loadOrganizationTables(pool)
  const deletable = tables.filter((table) => !isOrganization(table) && !kept.includes(table.name))
  const names = deletable.map(({ name }) => name)
  // Repeats until no rows are left, because a running request may add rows during a pass.
  let count = 0
  const deleteAllFrom = (name: string) =>
    deleteFrom(pool, name, organizationId, (deleted) => {
      count += deleted
      show(`deleted ${count} rows, now deleting from ${name}`)
    })
  for (let deleted = 1; deleted > 0; ) {
    deleted = await deleteJobs(pool, organizationId)
    for (const name of names.toReversed()) deleted += await deleteAllFrom(name)
  }
  if (!kept.includes('organization')) await deleteAllFrom('organization')
}

/**
 * Deletes rows in batches. Records the number of rows in the same commit, so that the number is right even after an
 * interruption.
 */
async function deleteFrom(
  pool: pg.Pool,
  table: string,
  organizationId: string,
  onDeleted: (rows: number) => void,
): Promise<number> {
  return new Pace(batchLimits).drain(async (atMost) => {
    const { rows } = await pool.query(
      `with setting as materialized (select ${asynchronousCommit}, ${allowEntryDeletion}, ${withoutVersions}),
       gone as (
         delete from "${table}" as stored using setting
          where organization_id = $1
            and stored.ctid = any(array(select ctid from "${table}" where organization_id = $1 limit $2))
         returning 1),
       counted as (
         update deleted_organization set rows = rows + (select count(*) from gone) where organization_id = $1)
       select 1 from gone`,
      [organizationId, atMost],
    )
    onDeleted(rows.length)
    return rows
  })
}

/** Deletes the jobs that would wake a worker for the organization. Their tables do not exist before the first start. */
async function deleteJobs(pool: pg.Pool, organizationId: string): Promise<number> {
  const { rows } = await pool.query(`select to_regclass('pgboss.job') as jobs`)
  if (rows[0].jobs === null) return 0
  return new Pace(batchLimits).drain(async (atMost) => {
    const deleted = await pool.query(
      `delete from pgboss.job
        where id in (select id from pgboss.job where data ->> 'organizationId' = $1 limit $2)
       returning 1`,
      [organizationId, atMost],
    )
    return deleted.rows
  })
}
