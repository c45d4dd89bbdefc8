import type { QueryConfig } from 'pg'
import type { Actor, OutsideIdentity, UserActor } from '../../access/actor.ts'
import { adoptEntries } from '../../access/outside-account.ts'
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
  /** The outside identity without an account that asked. Once it has one, the entry moves there, at any moment. */
  newIdentity: OutsideIdentity | null
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
  // By its id alone: the entry of someone who just got an account is that account's by now.
  const { count } = await tx.userAuditEvent.updateMany({
    where: { id, outcome: 'pending' },
    data: { ...told, ...member },
  })
  assertTold(count, id)
  if (inOrganization) assertTold(await copyToOrganization(tx, entry), id)
}

function assertTold(count: number, id: string): void {
  if (count !== 1) throw new Error(`Audit entry ${id} is not pending any more.`)
}

/** Creating, joining and signing in to an organization stand in both logs, under one id. */
function copyToOrganization(tx: Transaction, { id }: AuditEntry): Promise<number> {
  return tx.$executeRaw`
    insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service,
                             method, route, params, ip, user_agent, outcome, status, created_id)
    select organization_id, audit_event_id, occurred_at, request_id, member_id, 'jwt', service,
           method, route, params, ip, user_agent, outcome, status, created_id
      from user_audit_event
     where audit_event_id = ${id}`
}

/** Of a request that changed nothing, or whose outcome is lost. An entry that has its outcome is left as it is. */
export async function recordVerdict(database: Database, entry: AuditEntry, verdict: Verdict): Promise<void> {
  // First: an insert that is still under way fails after this one, and cannot leave the entry pending for good.
  if (entry.insertAgain) await database.pool.query(entry.insertAgain)
  await database.pool.query(verdictStatement(entry, verdict))
  await adopt(database, entry)
}

/** A person's entry is found by its id alone, as its owner may change. */
function verdictStatement({ log, ownerId, id }: AuditEntry, { outcome, status }: Verdict): QueryConfig {
  if (log === 'organization') {
    return {
      text: `update audit_event set outcome = $3, status = $4
              where organization_id = $1 and audit_event_id = $2 and outcome = 'pending'`,
      values: [ownerId, id, outcome, status],
    }
  }
  return {
    text: `update user_audit_event set outcome = $2, status = $3 where audit_event_id = $1 and outcome = 'pending'`,
    values: [id, outcome, status],
  }
}

/** At the end of a request of someone without an account: another one may have made the account meanwhile. */
export async function adopt(
  { prisma }: Pick<Database, 'prisma'>,
  { newIdentity, ownerId }: Pick<AuditEntry, 'newIdentity' | 'ownerId'>,
): Promise<void> {
  if (newIdentity) await adoptEntries(prisma, newIdentity, ownerId)
}
