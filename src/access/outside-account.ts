import { createHmac } from 'node:crypto'
import { unauthorized } from '../core/errors.ts'
import { newUserId } from '../core/ids.ts'
import type { Vault } from '../core/vault.ts'
import type { UserAccount } from '../database/generated/client.ts'
import type { Queries } from '../database/prisma.ts'
import type { Transaction } from '../database/transaction.ts'
import type { OutsideIdentity } from './actor.ts'

/** An outside identity as the issuer's tokens name it. */
type Named = Pick<OutsideIdentity, 'issuer' | 'subject'>

/**
 * The name under which the log records the requests of an outside identity while it has no account. It is keyed, so that
 * nobody can compute who was here; and it is not a user id, so that nobody can be added by it.
 */
export function createUnknownIds(vault: Pick<Vault, 'deriveKey'>): (identity: Named) => string {
  const key = vault.deriveKey('unknown-identity')
  return ({ issuer, subject }) =>
    `unknown_${createHmac('sha256', key)
      .update(JSON.stringify([issuer, subject]))
      .digest('base64url')}`
}

/**
 * The account of an outside identity, created now unless another request was faster, and locked until the transaction
 * ends. Moves the log entries from before its creation to it.
 */
export async function addOutsideAccount(
  tx: Transaction,
  identity: OutsideIdentity,
  { unknownId, now }: { unknownId: string; now: Date },
): Promise<UserAccount> {
  const { issuer, subject, email, displayName } = identity
  await tx.userAccount.createMany({
    data: { id: newUserId(), issuer, subject, email, displayName, createdAt: now, updatedAt: now },
    skipDuplicates: true,
  })
  await tx.$queryRaw`select 1 from user_account where issuer = ${issuer} and subject = ${subject} for update`
  const account = await tx.userAccount.findUnique({ where: { issuer_subject: { issuer, subject } } })
  if (!account) throw unauthorized('The account of this token was just deleted.')
  await adoptEntries(tx, identity, unknownId)
  return account
}

/** Moves the log entries of an identity from before its account to the account, if there is one by now. */
export async function adoptEntries(
  db: Pick<Queries, '$executeRaw'>,
  { issuer, subject }: Named,
  unknownId: string,
): Promise<void> {
  await db.$executeRaw`
    update user_audit_event entry set user_id = account.user_id
      from user_account account
     where entry.user_id = ${unknownId} and account.issuer = ${issuer} and account.subject = ${subject}`
}
