import type { QueryConfig } from 'pg'
import { adoptEntries } from '../access/outside-account.ts'
import type { Database } from '../database/client.ts'
import type { Transaction } from '../database/transaction.ts'
import { toRecordedDetails } from './details.ts'
import { type AuditEntry, type EntryOutcome, notRecorded } from './entry.ts'

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
export async function recordOutcome(database: Database, entry: AuditEntry, outcome: EntryOutcome): Promise<void> {
  // First: an insert that is still under way fails after this one, and cannot leave the entry pending for good.
  if (entry.insertAgain) await database.pool.query(entry.insertAgain)
  await database.pool.query(outcomeStatement(entry, outcome))
  await adopt(database, entry)
}

/** A person's entry is found by its id alone, as its owner may change. */
function outcomeStatement({ log, ownerId, id }: AuditEntry, { outcome, status }: EntryOutcome): QueryConfig {
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
