import type { QueryConfig } from 'pg'
import { assignEntriesToAccount } from '../access/external-account.ts'
import type { Database } from '../database/client.ts'
import { failUnless } from '../database/fail-unless.ts'
import { Prisma } from '../database/generated/client.ts'
import { toRecordedDetails } from './details.ts'
import { type AuditEntry, type EntryOutcome, toRareOutcome } from './entry.ts'

/** The change of a write, as its entry records it on success. */
export type RecordedChange = {
  details?: Record<string, unknown> | null
  createdId?: string
  /** When the object changed; by default, when this is recorded. */
  changedAt?: Date
  /** For a personal sign-in: the organization that the person created, joined or signed in to, and their member there. */
  member?: { organizationId: string; memberId: string }
}

/** `inOrganization`: whether the entry is also added to the log of the member's organization. */
type Success = RecordedChange & { status: number; inOrganization?: boolean }

/**
 * Records a success in the transaction of the write, so that both commit, or neither. Each statement fails if the entry is no
 * longer pending, because COMMIT is sent after it without waiting. The write still holds its locks, so `changed_at` orders the
 * changes of an object as they happened (decision 46).
 */
export function successStatements(entry: AuditEntry, success: Success): Prisma.Sql[] {
  const { status, details = null, createdId = null, changedAt = null, member, inOrganization = false } = success
  const { id, ownerId } = entry
  if (entry.log === 'organization') {
    const update = Prisma.sql`
      update audit_event
         set outcome = 'responded', status = ${status}, created_id = ${createdId}, details = ${toRecordedDetails(details)},
             changed_at = coalesce(${changedAt}, clock_timestamp())
       where organization_id = ${ownerId} and audit_event_id = ${id} and outcome = 'pending' returning 1`
    return [failUnlessOne(update, ...insertCreation(ownerId, createdId, id))]
  }
  const setMember = member
    ? Prisma.sql`, organization_id = ${member.organizationId}, member_id = ${member.memberId}`
    : Prisma.empty
  // Finds the entry only by its id: if the person just got an account, the entry already belongs to that account.
  const update = Prisma.sql`
    update user_audit_event set outcome = 'responded', status = ${status}, created_id = ${createdId}${setMember}
     where audit_event_id = ${id} and outcome = 'pending' returning 1`
  if (!inOrganization || !member) return [failUnlessOne(update)]
  const copy = copyToOrganization(id, member.organizationId)
  const { organizationId } = member
  const lists = [insertUnchained(organizationId, id), ...insertCreation(organizationId, createdId, id)]
  return [failUnlessOne(update), failUnlessOne(copy, ...lists)]
}

/**
 * Lists an entry that is inserted with its outcome, so that a worker adds it to the chain. Pending entries are listed when they
 * are inserted.
 */
export function insertUnchained(organizationId: string, id: string): Prisma.Sql {
  return Prisma.sql`insert into audit_event_unchained (organization_id, audit_event_id) values (${organizationId}, ${id})`
}

/** Lists the entry by the object that it created. */
export function insertCreation(organizationId: string, createdId: string | null, id: string): Prisma.Sql[] {
  if (createdId === null) return []
  const insert = Prisma.sql`
      insert into audit_event_creation (organization_id, created_id, audit_event_id)
      values (${organizationId}, ${createdId}, ${id})`
  return [insert]
}

/** A statement that fails unless `required` affects one row. `required` is executed before the others, so it locks first. */
function failUnlessOne(required: Prisma.Sql, ...others: Prisma.Sql[]): Prisma.Sql {
  const otherStatements = others.map((other, index) => Prisma.sql`, ${Prisma.raw(`besides_${index}`)} as (${other})`)
  const parts = Prisma.join([Prisma.sql`with required as (${required})`, ...otherStatements], '')
  return Prisma.sql`${parts} select ${Prisma.raw(failUnless('count(*) = 1'))} from required`
}

/** Copies the entry of creating, joining or signing in to an organization: it is in both logs, with the same id. */
function copyToOrganization(id: string, organizationId: string): Prisma.Sql {
  return Prisma.sql`
    insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service,
                             method, route, params, ip, user_agent, outcome, status, created_id)
    select ${organizationId}, audit_event_id, occurred_at, request_id, member_id, 'jwt', service,
           method, route, params, ip, user_agent, outcome, status, created_id
      from user_audit_event
     where audit_event_id = ${id} returning 1`
}

/** Records a request that changed nothing, or whose outcome is lost. An entry that already has its outcome stays unchanged. */
export async function recordOutcome(database: Database, entry: AuditEntry, outcome: EntryOutcome): Promise<void> {
  const record = () => database.pool.query(outcomeStatement(entry, outcome))
  const { rowCount } = await record()
  if (rowCount === 0) {
    // The insert got no reply and may not have arrived, or a crash of PostgreSQL undid it. If the first insert still runs, it
    // fails after this one, so it cannot leave the entry pending forever.
    await database.pool.query(entry.insertAgain())
    await record()
  }
  await assignToNewAccount(database, entry)
}

/** Finds a person's entry only by its id, because the entry's owner may change. */
function outcomeStatement({ log, ownerId, id }: AuditEntry, { outcome, status }: EntryOutcome): QueryConfig {
  if (log === 'organization') {
    return {
      text: `update audit_event set outcome = $3, status = $4, rare_outcome = $5
              where organization_id = $1 and audit_event_id = $2 and outcome = 'pending'`,
      values: [ownerId, id, outcome, status, toRareOutcome(outcome)],
    }
  }
  return {
    text: `update user_audit_event set outcome = $2, status = $3 where audit_event_id = $1 and outcome = 'pending'`,
    values: [id, outcome, status],
  }
}

/** Called after a request of an identity without an account: another request may have created the account since. */
export async function assignToNewAccount(
  { prisma }: Pick<Database, 'prisma'>,
  { newIdentity, ownerId }: Pick<AuditEntry, 'newIdentity' | 'ownerId'>,
): Promise<void> {
  if (newIdentity) await assignEntriesToAccount(prisma, newIdentity, ownerId)
}
