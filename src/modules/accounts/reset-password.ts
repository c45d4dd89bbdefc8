import { hashPassword } from '../../access/password.ts'
import { lockPerson } from '../../access/rights.ts'
import { randomBase62 } from '../../access/token.ts'
import { viaPrisma } from '../../database/sql.ts'
import type { Transaction } from '../../database/transaction.ts'
import { endSignIns, toEmailKey } from '../users/user.ts'

const passwordLength = 20

/**
 * Sets a new password for the local account with this e-mail, and ends its tokens and sessions. Returns null if there is no
 * such account.
 */
export async function resetPassword(
  tx: Transaction,
  { email, now }: { email: string; now: Date },
): Promise<{ userId: string; password: string } | null> {
  const user = await tx.userAccount.findUnique({ where: { emailKey: toEmailKey(email) }, select: { id: true } })
  if (!user) return null
  const password = randomBase62(passwordLength)
  const hash = await hashPassword(password)
  const userId = user.id
  await lockPerson(viaPrisma(tx), userId)
  await tx.userPassword.update({ where: { userId }, data: { hash, changedAt: now } })
  await endSignIns(tx, userId)
  return { userId, password }
}
