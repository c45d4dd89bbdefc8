import type { QueryConfig } from 'pg'
import type { Actor, UserActor } from '../../access/actor.ts'
import type { Database } from '../../database/client.ts'
import type { AnyOperation, Transaction } from '../../operation/operation.ts'
import { toRecordedDetails } from './details.ts'
import { notRecorded } from './insert-entry.ts'
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
  /** Writes the entry unless it is there: of one whose insert got no reply, which may or may not have arrived. */
  insertAgain?: QueryConfig
}

/** Where the entries of each log are. */
export const logColumns = {
  organization: { table: 'audit_event', owner: 'organization_id' },
  user: { table: 'user_audit_event', owner: 'user_id' },
} as const

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
  { log, ownerId, id, insertAgain }: AuditEntry,
  { outcome, status }: Verdict,
): Promise<void> {
  // First: an insert that is still under way fails after this one, and cannot leave the entry pending for good.
  if (insertAgain) await pool.query(insertAgain)
  const { table, owner } = logColumns[log]
  await pool.query(
    `update ${table} set outcome = $3, status = $4 where ${owner} = $1 and audit_event_id = $2 and outcome = 'pending'`,
    [ownerId, id, outcome, status],
  )
}
