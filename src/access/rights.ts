import { forbidden, unauthorized } from '../core/errors.ts'
import { Prisma } from '../database/generated/client.ts'
import type { Role } from '../database/generated/enums.ts'
import { combineColumns, computedColumns, nullableColumns, query, type Sql } from '../database/sql.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Actor } from './actor.ts'
import { isMoving, organizationMoveInProgress } from './organization-move.ts'
import { hasAnyLabel, type Label } from './roles.ts'

/*
 * A write and the revocation of its caller's rights never overlap. The write holds a shared lock on the caller's member and
 * key or session until it commits; a revocation waits for it, and a later write finds the rights revoked.
 *
 * Row locks are not enough: overlapping writes would hold a shared row lock for as long as new writes arrive, so a thief could
 * keep the deletion of a stolen key waiting forever. Therefore each write first takes a shared advisory lock on its member:
 * PostgreSQL does not let later writes overtake a waiting `waitForRunningWrites`.
 */

/**
 * The lock that a write takes before it locks its caller's rights. A revocation takes the locks in the same order: it holds the
 * organization's lock while it waits for the member. Writes with this lock run one at a time: writes to the organization, its
 * members and their credentials, and its catalog.
 */
export type FirstLock = 'organization'

/** The organization's stored bytes at the last count, and its own cap: null means the server's cap, -1 means unlimited. */
export type StoredByteCount = { total: bigint; cap: bigint | null; countedAt: Date | null }

/**
 * Checks the caller's key or session, member and role, and locks them until the transaction ends. Only the locks on an
 * idempotency key and on a person may be taken earlier in the transaction, because this function also takes the lock on the
 * organization if `locks` is set. Throws 401 if the key, session or member has ended, by the database's clock once the locks
 * are held; 403 if the role has lost the labels. Returns the organization's stored bytes, or null if they were never counted.
 */
export async function lockRights(
  sql: Sql,
  actor: Actor,
  { labels, locks }: { labels: readonly Label[]; locks?: FirstLock | undefined },
): Promise<StoredByteCount | null> {
  const { organizationId, memberId } = actor
  const rows = await sql.query(query`
    with first as materialized (${locks ? organizationLock(organizationId) : Prisma.sql`select`}),
         locked as materialized (
           select pg_advisory_xact_lock_shared(${lockKeyOf(organizationId, memberId)}), clock_timestamp() as now from first)
    select ${combineColumns(roleColumn, storedColumns)}
      from locked, ${credentialOf(actor, Prisma.raw('locked.now'), joinStoredBytes)}
       for share of member for key share of credential`)
  const { total, cap, countedAt, isMoving } = assertRights(rows, labels)
  if (isMoving) throw organizationMoveInProgress()
  return total === null ? null : { total, cap, countedAt }
}

const roleColumn = computedColumns({
  role: ['role', Prisma.sql`member.role`],
  isMoving: ['boolean', Prisma.raw(isMoving('member'))],
})

const storedColumns = nullableColumns(
  computedColumns({
    total: ['bigint', Prisma.sql`stored.total`],
    cap: ['bigint', Prisma.sql`stored.cap`],
    countedAt: ['timestamptz', Prisma.sql`stored.counted_at`],
  }),
)

/** Checks the caller's rights without locking them, so they may end right afterwards. */
export async function assertRightsNow(sql: Sql, actor: Actor, { labels }: { labels: readonly Label[] }): Promise<void> {
  const credential = credentialOf(actor, Prisma.raw('clock_timestamp()'))
  assertRights(await sql.query(query`select ${roleColumn} from ${credential}`), labels)
}

function assertRights<Row extends { role: Role }>([row]: readonly Row[], labels: readonly Label[]): Row {
  if (!row) throw unauthorized('The key or session of this request is no longer valid, so nothing was changed.')
  if (!hasAnyLabel(row.role, labels)) throw forbidden(labels)
  return row
}

/** SQL that joins the member and the credential of the request, if both are still valid at this time. */
function credentialOf(
  { organizationId, memberId, authType, credentialHash }: Actor,
  now: Prisma.Sql,
  furtherJoin = Prisma.empty,
): Prisma.Sql {
  return Prisma.sql`
    member join ${credentials[authType]}
        on credential.organization_id = member.organization_id and credential.member_id = member.member_id
      ${furtherJoin}
     where member.organization_id = ${organizationId} and member.member_id = ${memberId} and member.status = 'active'
       and credential.organization_id = ${organizationId} and ${isValid[authType](credentialHash, now)}`
}

const joinStoredBytes = Prisma.sql`left join stored_bytes stored on stored.organization_id = member.organization_id`

const credentials = {
  member_apikey: Prisma.sql`api_key credential`,
  member_session: Prisma.sql`console_session credential`,
}

const isValid = {
  member_apikey: (hash: string, now: Prisma.Sql) => Prisma.sql`
    credential.key_hash = decode(${hash}, 'hex')
    and (credential.expires_at is null or credential.expires_at > ${now})`,
  member_session: (hash: string, now: Prisma.Sql) => Prisma.sql`
    credential.session_hash = decode(${hash}, 'hex') and credential.expires_at > ${now}`,
}

/**
 * Locks the person's account, if it exists, until the transaction ends. The lock is never shared: with shared locks, ending
 * the person's sign-ins would wait for as long as new writes arrive.
 */
export async function lockPerson(sql: Sql, userId: string): Promise<void> {
  await sql.query(query`select 1 from user_account where user_id = ${userId} for update`)
}

/**
 * Waits for running writes of these members, and makes new writes wait until this transaction ends. Call it before revoking
 * rights: after locking the organization, and before locking the rows of members, keys and sessions. The transaction must not
 * wait for anything else afterwards.
 */
export async function waitForRunningWrites(
  tx: Transaction,
  members: readonly { organizationId: string; memberId: string }[],
): Promise<void> {
  const lockNames = members.map(({ organizationId, memberId }) => `${organizationId}/${memberId}`).sort()
  for (const lockName of lockNames) await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`
}

function organizationLock(organizationId: string): Prisma.Sql {
  return Prisma.sql`select from organization where organization_id = ${organizationId} for no key update`
}

function lockKeyOf(organizationId: string, memberId: string): Prisma.Sql {
  return Prisma.sql`hashtextextended(${`${organizationId}/${memberId}`}, 0)`
}
