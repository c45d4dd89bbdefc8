import { createHmac } from 'node:crypto'
import { unauthorized } from '../core/errors.ts'
import { newUserId } from '../core/ids.ts'
import type { Vault } from '../core/vault.ts'
import type { UserAccount } from '../database/generated/client.ts'
import type { Queries } from '../database/prisma.ts'
import type { Transaction } from '../database/transaction.ts'
import type { ExternalIdentity } from './actor.ts'

/** The fields of an external identity that identify the person. */
type IdentityKey = Pick<ExternalIdentity, 'issuer' | 'subject'>

/**
 * Returns a function that computes the name under which the log records the requests of an external identity while it has no
 * account. The name depends on a secret key, so that nobody else can compute it; and it is not a user id, so that it cannot be
 * used to add a member.
 */
export function createPseudonyms(vault: Pick<Vault, 'deriveKey'>): (identity: IdentityKey) => string {
  const key = vault.deriveKey('unknown-identity')
  return ({ issuer, subject }) =>
    `unknown_${createHmac('sha256', key)
      .update(JSON.stringify([issuer, subject]))
      .digest('base64url')}`
}

/**
 * Finds or creates the account of an external identity, and locks it until the transaction ends. Moves the identity's
 * earlier log entries to the account.
 */
export async function addExternalAccount(
  tx: Transaction,
  identity: ExternalIdentity,
  { unknownId, now }: { unknownId: string; now: Date },
): Promise<UserAccount> {
  const { issuer, subject, email, displayName } = identity
  await tx.userAccount.createMany({
    data: { id: newUserId(), issuer, subject, email, displayName, createdAt: now, updatedAt: now },
    skipDuplicates: true,
  })
  await tx.$queryRaw`select 1 from user_account where issuer = ${issuer} and subject = ${subject} for update`
  const account = await tx.userAccount.findUnique({ where: { issuer_subject: { issuer, subject } } })
  if (!account) throw unauthorized('The account of this token has just been deleted.')
  await assignEntriesToAccount(tx, identity, unknownId)
  return account
}

/** If the identity has an account, moves to it the log entries from before the account was created. */
export async function assignEntriesToAccount(
  db: Pick<Queries, '$executeRaw'>,
  { issuer, subject }: IdentityKey,
  unknownId: string,
): Promise<void> {
  await db.$executeRaw`
    update user_audit_event entry set user_id = account.user_id
      from user_account account
     where entry.user_id = ${unknownId} and account.issuer = ${issuer} and account.subject = ${subject}`
}
