import { isMoving, organizationMoveInProgress } from '../../access/organization-move.ts'
import { addDays, consoleSessionDays, daysToSeconds, newConsoleSession } from '../../access/session.ts'
import { defineAnswer } from '../../core/answer.ts'
import { textField, timeField } from '../../core/answer-fields.ts'
import { notFound } from '../../core/errors.ts'
import { isUlid, newId } from '../../core/ids.ts'
import { noInput } from '../../core/input.ts'
import { toStoredAddress } from '../../core/network.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { Transaction } from '../../database/transaction.ts'
import { type Cookie, consoleCookieName } from '../../http/cookies.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { toStoredAgent } from '../../recording/stored-text.ts'
import { maxSessions } from '../accounts/user-session.ts'
import { recordSignIn } from '../members/last-seen.ts'
import { lockActingUser } from '../users/user.ts'

/** A new console session. Its token is sent only in a cookie. */
export type OpenedSession = { organizationId: string; sessionPrefix: string; expiresAt: Date; token: string }

/** The GraphQL type adds the organization. */
export const consoleSessionAnswer = defineAnswer<OpenedSession>(
  'ConsoleSession',
  'A console session. Its token is in a cookie; the header X-Organization-Id names the organization of a request.',
  {
    session_prefix: textField(12, 12).describe("The first 12 characters of the session's token."),
    expires_at: timeField().describe('When the session expires. It ends earlier after 12 hours without use.'),
  },
)

/** Throws 404 for people who are disabled or not members, so that they do not learn whether the organization exists. */
export const signInToOrganization = defineUserWrite({
  name: 'signInToOrganization',
  summary: 'Open a console session in an organization.',
  method: 'POST',
  route: '/user/organizations/{organization_id}/sign-in',
  status: 200,
  recordedIn: 'user_and_organization',
  input: noInput,
  answer: consoleSessionAnswer,
  async run({ tx, now, user, path, origin: { ip, userAgent } }) {
    const { id: userId } = await lockActingUser(tx, user)
    const { userSessionId } = user
    const organizationId = path.organization_id
    // Lock the row until the session exists, because a write that disables the member ends only the sessions that it finds.
    const [member] = isUlid(organizationId)
      ? await tx.$queryRaw<{ member_id: string; is_moving: boolean }[]>`
          select member_id, ${Prisma.raw(isMoving('member'))} as is_moving from member
           where organization_id = ${organizationId} and user_id = ${userId} and status = 'active' for share`
      : []
    if (!member) throw notFound('organization', organizationId)
    if (member.is_moving) throw organizationMoveInProgress()

    const { text: token, prefix: sessionPrefix, hash } = newConsoleSession()
    const expiresAt = await findSessionEnd(tx, userSessionId, now)
    const memberId = member.member_id
    // End the oldest console session if this sign-in has too many.
    await tx.$executeRaw`
      delete from console_session
       where user_id = ${userId}
         and (expires_at < ${now}
           or user_session_id is not distinct from ${userSessionId}
              and console_session_id not in (
                select console_session_id from console_session
                 where user_id = ${userId} and user_session_id is not distinct from ${userSessionId}
                 order by console_session_id desc limit ${maxSessions - 1}))`
    await tx.consoleSession.create({
      data: {
        organizationId,
        id: newId(),
        memberId,
        userId,
        userSessionId,
        hash: new Uint8Array(hash),
        prefix: sessionPrefix,
        createdAt: now,
        lastUsedAt: now,
        expiresAt,
        ip: toStoredAddress(ip),
        userAgent: toStoredAgent(userAgent),
      },
      select: { id: true },
    })
    await recordSignIn(tx, { organizationId, memberId, now })
    const result: OpenedSession = { organizationId, sessionPrefix, expiresAt, token }
    return { result, member: { organizationId, memberId } }
  },
})

/** Computes when the session expires: no later than the personal sign-in that opened it. */
async function findSessionEnd(tx: Transaction, userSessionId: string | null, now: Date): Promise<Date> {
  const latest = addDays(now, consoleSessionDays)
  const signIn = userSessionId && (await tx.userSession.findUnique({ where: { id: userSessionId } }))
  return signIn && signIn.expiresAt < latest ? signIn.expiresAt : latest
}

export function consoleCookie({ organizationId, token }: OpenedSession): Cookie {
  return {
    name: consoleCookieName(organizationId),
    value: token,
    maxAgeSeconds: daysToSeconds(consoleSessionDays),
  }
}
