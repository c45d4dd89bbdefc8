import { afterDays, consoleSessionDays, newConsoleSession, secondsOfDays } from '../../access/session.ts'
import { defineAnswer } from '../../core/answer.ts'
import { textField, timeField } from '../../core/answer-fields.ts'
import { notFound } from '../../core/errors.ts'
import { isUlid, newId } from '../../core/ids.ts'
import { noInput } from '../../core/input.ts'
import { type Cookie, consoleCookieName } from '../../http/cookies.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { lockActingUser } from '../users/user.ts'

/** A new console session: its token is put only into a cookie. */
export type OpenedSession = { organizationId: string; sessionPrefix: string; expiresAt: Date; token: string }

/** The GraphQL type adds the organization. */
export const consoleSessionAnswer = defineAnswer<OpenedSession>(
  'ConsoleSession',
  'Its token is in a cookie; the header X-Organization-Id says which organization a request is for.',
  {
    session_prefix: textField(12, 12).describe('The first 12 characters of its token.'),
    expires_at: timeField().describe('The latest end; 12 hours without use end it too.'),
  },
)

/** 404 for a person who is not a member or is disabled, and must not learn whether the organization exists. */
export const signInToOrganization = defineUserWrite({
  name: 'signInToOrganization',
  summary: 'Open a console session in an organization.',
  method: 'POST',
  route: '/user/organizations/{organization_id}/sign-in',
  status: 200,
  recordedIn: 'user_and_organization',
  input: noInput,
  answer: consoleSessionAnswer,
  async run({ tx, now, user, path }) {
    const { id: userId } = await lockActingUser(tx, user)
    const organizationId = path.organization_id
    // The row is locked until the session exists: disabling ends the sessions that it finds.
    const [member] = isUlid(organizationId)
      ? await tx.$queryRaw<{ member_id: string }[]>`
          select member_id from member
           where organization_id = ${organizationId} and user_id = ${userId} and status = 'active' for share`
      : []
    if (!member) throw notFound('organization', organizationId)

    const { text: token, prefix: sessionPrefix, hash } = newConsoleSession()
    const expiresAt = afterDays(now, consoleSessionDays)
    const memberId = member.member_id
    await tx.consoleSession.deleteMany({ where: { userId, expiresAt: { lt: now } } })
    await tx.consoleSession.create({
      data: {
        organizationId,
        id: newId(),
        memberId,
        userId,
        userSessionId: user.userSessionId,
        hash: new Uint8Array(hash),
        prefix: sessionPrefix,
        createdAt: now,
        lastUsedAt: now,
        expiresAt,
      },
      select: { id: true },
    })
    const result: OpenedSession = { organizationId, sessionPrefix, expiresAt, token }
    return { result, member: { organizationId, memberId } }
  },
})

export function consoleCookie({ organizationId, token }: OpenedSession): Cookie {
  return {
    name: consoleCookieName(organizationId),
    value: token,
    maxAgeSeconds: secondsOfDays(consoleSessionDays),
  }
}
