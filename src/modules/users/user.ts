import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { UserActor } from '../../access/actor.ts'
import { lockPerson, waitForRunningWrites } from '../../access/rights.ts'
import { defineAnswer, fieldFrom } from '../../core/answer.ts'
import { idField, nameField, textField, timeField, timeFields } from '../../core/answer-fields.ts'
import { requireFound, unauthorized } from '../../core/errors.ts'
import { hasAtMostCharacters, name } from '../../core/fields.ts'
import { isStorableText } from '../../core/json.ts'
import type { UserAccount } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { viaPrisma } from '../../database/sql.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineFields } from '../../database/written-fields.ts'

export type User = UserAccount

/** The fields that sign-up and update share. */
export const userFields = defineFields('UserAccount', {
  display_name: {
    input: name(),
    answer: nameField().describe('The display name in organizations that the person joins from now on.'),
  },
})

export const userAnswer = defineAnswer<User>('User', "A person's own account.", {
  user_id: fieldFrom('id', idField().describe('The id with which an admin can add the person as a member.')),
  email: textField(1, 254)
    .nullable()
    .describe('The e-mail of the account; null if an external identity provider gave none.'),
  ...userFields.answer,
  ...timeFields,
})

/** Only for the REST API. Browsers get a cookie instead, which scripts cannot read. */
export const tokenAnswer = defineAnswer<{ token: string; expiresAt: Date; userId: string }>(
  'Token',
  'A personal sign-in.',
  {
    token: textField(1, 4096).describe('The token, to send as Authorization: Bearer <token>.'),
    expires_at: timeField().describe('When the token expires.'),
    user_id: idField().describe('The id of the person who signed in.'),
  },
)

/** A person who has just authenticated, for whom a token or browser session can be created. */
export type SignedIn = { userId: string; tokenGeneration: string; now: Date }

const emailPattern = /^[^\s@]+@[^\s@]+$/
export const maxEmailLength = 254

export function email() {
  return z
    .string()
    .refine((text) => hasAtMostCharacters(text, maxEmailLength) && emailPattern.test(text) && isStorableText(text))
    .describe(`an e-mail address of at most ${maxEmailLength} characters`)
    .meta({ maxLength: maxEmailLength, pattern: emailPattern.source })
}

/** Converts an e-mail to lower case, so that case is ignored when e-mails are compared. */
export function toEmailKey(email: string): string {
  return email.toLowerCase()
}

/** Loads the person, or throws 404. */
export async function loadUser(db: Queries, userId: string): Promise<User> {
  return requireFound('user', userId, await db.userAccount.findUnique({ where: { id: userId } }))
}

/**
 * Locks the caller until the transaction ends; throws 401 if the account or the sign-in has just ended. Every personal write
 * locks the caller first, so that personal writes and writes that end sign-ins wait for each other.
 */
export async function lockActingUser(
  tx: Transaction,
  { userId, tokenGeneration, userSessionId }: Pick<UserActor, 'userId' | 'tokenGeneration' | 'userSessionId'>,
): Promise<User> {
  await lockPerson(viaPrisma(tx), userId)
  const user = await tx.userAccount.findUnique({ where: { id: userId } })
  const session = userSessionId && (await tx.userSession.findUnique({ where: { id: userSessionId } }))
  if (!user || user.tokenGeneration !== tokenGeneration || (userSessionId && !session)) {
    throw unauthorized('This sign-in has just ended. Sign in again.')
  }
  return user
}

/** Ends all tokens, browser sign-ins and console sessions of the person. The caller has locked the person. */
export async function endSignIns(tx: Transaction, userId: string): Promise<void> {
  await tx.userAccount.updateMany({ where: { id: userId }, data: { tokenGeneration: randomUUID() } })
  await waitForRunningWrites(tx, await tx.userMembership.findMany({ where: { userId } }))
  await tx.userSession.deleteMany({ where: { userId } })
  await tx.consoleSession.deleteMany({ where: { userId } })
}
