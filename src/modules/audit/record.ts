import { decodeTime, ulid } from 'ulidx'
import type { Actor, UserActor } from '../../access/actor.ts'
import { type DomainError, unavailable } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { toStorableText } from '../../core/json.ts'
import type { Database } from '../../database/client.ts'
import type { AnyOperation, Transaction } from '../../operation/operation.ts'
import { maxIdSkewMs } from './audit-event.ts'
import { toRecordedDetails } from './details.ts'
import type { Verdict } from './settler.ts'

/** Where a request came from and which one it is. */
export type Origin = {
  requestId: string
  receivedAt: Date
  ip: string
  userAgent: string | null
  /** Where the client reached the service, or PUBLIC_URL; without a slash at the end. */
  baseUrl: string
}

/** A request for an operation, as the log tells it. What a member does stands in the organization's log. */
export type Subject = {
  operation: Pick<AnyOperation, 'service' | 'method' | 'route'>
  /** A person who acts for themselves: the entry stands in their own log. */
  actor: Actor | UserActor
  origin: Origin
  path: Record<string, string>
}

export type AuditEntry = {
  log: 'organization' | 'user'
  /** Id of the organization or of the person. */
  ownerId: string
  id: string
  /** The database's clock when the entry was written. */
  recordedAt: Date
}

/** Where the entries of each log are. */
export const logColumns = {
  organization: { table: 'audit_event', owner: 'organization_id' },
  user: { table: 'user_audit_event', owner: 'user_id' },
} as const

/** Before a write runs. What cannot be recorded does not run: 503. */
export function recordPending(database: Database, subject: Subject): Promise<AuditEntry> {
  return insertEntry(database, subject, 'pending', null)
}

/** A request refused before it ran. */
export function recordRejected(database: Database, subject: Subject, status: number): Promise<AuditEntry> {
  return insertEntry(database, subject, 'rejected', status)
}

async function insertEntry(
  { pool }: Database,
  { operation, actor, origin, path }: Subject,
  outcome: 'pending' | 'rejected',
  status: number | null,
): Promise<AuditEntry> {
  const id = newEntryId(origin.receivedAt)
  const params = Object.entries(path).map(([name, value]) => [name, toStorableText(value)])
  const request = [
    id,
    origin.receivedAt,
    origin.requestId,
    operation.service,
    operation.method,
    operation.route,
    JSON.stringify(Object.fromEntries(params)),
    origin.ip,
    origin.userAgent === null ? null : toStorableText(origin.userAgent),
    outcome,
    status,
  ]
  try {
    if ('userId' in actor) {
      const { rows } = await pool.query<{ now: Date }>({
        name: 'record-user-audit-event',
        text: insertInto('user_audit_event', ['user_id']),
        values: [...request, actor.userId],
      })
      return { log: 'user', ownerId: actor.userId, id, recordedAt: (rows[0] as { now: Date }).now }
    }
    const { organizationId, memberId, authType, keyPrefix } = actor
    const { rows } = await pool.query<{ now: Date }>({
      name: 'record-audit-event',
      text: insertInto('audit_event', ['organization_id', 'member_id', 'auth_type', 'key_prefix']),
      values: [...request, organizationId, memberId, authType, keyPrefix],
    })
    return { log: 'organization', ownerId: organizationId, id, recordedAt: (rows[0] as { now: Date }).now }
  } catch (error) {
    throw notRecorded(error)
  }
}

function notRecorded(cause: unknown): DomainError {
  return unavailable('The audit log cannot be written, so nothing was changed. Try again in a moment.', cause)
}

const requestColumns = [
  'audit_event_id',
  'occurred_at',
  'request_id',
  'service',
  'method',
  'route',
  'params',
  'ip',
  'user_agent',
  'outcome',
  'status',
]

function insertInto(table: string, actorColumns: string[]): string {
  const columns = [...requestColumns, ...actorColumns]
  const values = columns.map((_, index) => `$${index + 1}`)
  return `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')}) returning clock_timestamp() as now`
}

/** In the order of ids within this process; but an id stays near occurred_at, should the clock have been set back. */
function newEntryId(receivedAt: Date): string {
  const id = newId()
  const skewMs = Math.abs(decodeTime(id) - receivedAt.getTime())
  return skewMs < maxIdSkewMs ? id : ulid(receivedAt.getTime())
}

/** What a success tells its entry. */
type Success = {
  status: number
  details: Record<string, unknown> | null
  createdId: string | null
  /** Of a personal sign-in: the organization that it created, joined or signed in to, and the member there. */
  member: { organizationId: string; memberId: string } | null
  /** Whether that organization's log has the entry as well. */
  inOrganization: boolean
}

/** In the transaction of the write that succeeded: both commit, or neither does. 503 where the log does not take it. */
export async function recordSuccess(tx: Transaction, entry: AuditEntry, success: Success): Promise<void> {
  try {
    await tellSuccess(tx, entry, success)
  } catch (error) {
    throw notRecorded(error)
  }
}

async function tellSuccess(tx: Transaction, entry: AuditEntry, success: Success): Promise<void> {
  const { status, details, createdId, member, inOrganization } = success
  const told = { outcome: 'responded', status, createdId } as const
  const { id, ownerId } = entry
  if (entry.log === 'organization') {
    const { count } = await tx.auditEvent.updateMany({
      where: { organizationId: ownerId, id, outcome: 'pending' },
      data: { ...told, details: toRecordedDetails(details) },
    })
    assertTold(count, id)
    return
  }
  const { count } = await tx.userAuditEvent.updateMany({
    where: { userId: ownerId, id, outcome: 'pending' },
    data: { ...told, ...member },
  })
  assertTold(count, id)
  if (inOrganization) assertTold(await copyToOrganization(tx, entry), id)
}

function assertTold(count: number, id: string): void {
  if (count !== 1) throw new Error(`Audit entry ${id} is not pending any more.`)
}

/** Creating, joining and signing in to an organization stand in both logs, under one id. */
function copyToOrganization(tx: Transaction, { ownerId, id }: AuditEntry): Promise<number> {
  return tx.$executeRaw`
    insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service,
                             method, route, params, ip, user_agent, outcome, status, created_id)
    select organization_id, audit_event_id, occurred_at, request_id, member_id, 'jwt', service,
           method, route, params, ip, user_agent, outcome, status, created_id
      from user_audit_event
     where user_id = ${ownerId} and audit_event_id = ${id}`
}

/** Of a request that changed nothing, or whose outcome is lost. An entry that has its outcome is left as it is. */
export async function recordVerdict(
  { pool }: Database,
  { log, ownerId, id }: AuditEntry,
  { outcome, status }: Verdict,
): Promise<void> {
  const { table, owner } = logColumns[log]
  await pool.query(
    `update ${table} set outcome = $3, status = $4 where ${owner} = $1 and audit_event_id = $2 and outcome = 'pending'`,
    [ownerId, id, outcome, status],
  )
}
