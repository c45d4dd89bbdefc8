import { z } from 'zod'
import type { UserActor } from '../../access/actor.ts'
import { lockPerson, waitForRunningWrites } from '../../access/rights.ts'
import { consoleSessionIdleHours } from '../../access/session.ts'
import { defineAnswer, listOf } from '../../core/answer.ts'
import { idField, textField, timeField } from '../../core/answer-fields.ts'
import type { Database } from '../../database/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { viaPrisma } from '../../database/sql.ts'
import type { Transaction } from '../../database/transaction.ts'
import { transactionLimits } from '../../operation/write-budget.ts'
import { maxAgentLength } from '../../recording/stored-text.ts'

/**
 * A person's session: a browser's sign-in, with the console sessions opened under it, or a console session that was opened with
 * a Bearer token. The tokens themselves are not stored.
 */
export type UserSession = {
  id: string
  createdAt: Date
  lastUsedAt: Date
  ip: string | null
  userAgent: string | null
  current: boolean
}

/**
 * The maximum number of a person's browser sessions, of console sessions under one browser session, and of console sessions
 * opened with Bearer tokens. Beyond it, the oldest sessions end.
 */
export const maxSessions = 100

export const userSessionAnswer = defineAnswer<UserSession>(
  'UserSession',
  "A browser's sign-in, or a console session opened with a Bearer token.",
  {
    id: idField().describe('The id of the session.'),
    created_at: timeField().describe('When the session was opened.'),
    last_used_at: timeField().describe('When the session was last used, to the minute.'),
    ip: textField(1, 64).nullable().describe('The address from which the session was opened, if known.'),
    user_agent: textField(1, maxAgentLength)
      .nullable()
      .describe('The User-Agent of the program that opened the session.'),
    current: z.boolean().describe('Whether this request belongs to the session.'),
  },
)

export const userSessionsAnswer = listOf('sessions', userSessionAnswer, 2 * maxSessions)

/** The person's sessions that have not ended, the newest first. */
export async function loadUserSessions(
  db: Queries,
  { userId, userSessionId }: Pick<UserActor, 'userId' | 'userSessionId'>,
): Promise<UserSession[]> {
  const rows = await db.$queryRaw<Omit<UserSession, 'current'>[]>`
    select s.user_session_id as id, s.created_at as "createdAt", s.ip, s.user_agent as "userAgent",
           greatest(s.last_used_at, (select max(c.last_used_at) from console_session c
                                      where c.user_id = s.user_id and c.user_session_id = s.user_session_id)) as "lastUsedAt"
      from user_session s
     where s.user_id = ${userId} and s.expires_at > clock_timestamp()
     union all
    select c.console_session_id, c.created_at, c.ip, c.user_agent, c.last_used_at
      from console_session c
     where c.user_id = ${userId} and c.user_session_id is null and c.expires_at > clock_timestamp()
       and c.last_used_at > clock_timestamp() - ${consoleSessionIdleHours} * interval '1 hour'
     order by id desc`
  return rows.map((row) => ({ ...row, current: row.id === userSessionId }))
}

/**
 * Ends a browser's sessions, by the SHA-256 of their tokens, when somebody signs in there: nobody may continue the session of a
 * previous person.
 */
export async function endReplacedSessions({ pool, prisma }: Database, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return
  const { rows } = await pool.query<{ userId: string; ids: string[] }>(
    `select user_id as "userId", array_agg(id) as ids from (
       select user_id, user_session_id as id from user_session where session_hash = any($1::bytea[])
       union all
       select user_id, console_session_id from console_session where session_hash = any($1::bytea[])) replaced
      group by user_id order by user_id`,
    [hashes],
  )
  for (const { userId, ids } of rows) {
    await prisma.$transaction(async (tx) => {
      await lockPerson(viaPrisma(tx), userId)
      await endUserSessions(tx, userId, ids)
    }, transactionLimits)
  }
}

/**
 * Ends these sessions, with the console sessions opened under them. The caller has locked the person. First waits until writes
 * that have already begun are committed; later writes are refused.
 */
export async function endUserSessions(tx: Transaction, userId: string, ids: readonly string[]): Promise<void> {
  await waitForRunningWrites(tx, await tx.userMembership.findMany({ where: { userId } }))
  const isEnded = { in: [...ids] }
  await tx.userSession.deleteMany({ where: { userId, id: isEnded } })
  await tx.consoleSession.deleteMany({ where: { userId, OR: [{ id: isEnded }, { userSessionId: isEnded }] } })
}
