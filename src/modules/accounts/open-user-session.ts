import type { UserActor } from '../../access/actor.ts'
import { browserMarkDays, daysToSeconds, newUserSession, userSessionMs } from '../../access/session.ts'
import { unauthorized } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { toStoredAddress } from '../../core/network.ts'
import type { Database } from '../../database/client.ts'
import { type Cookie, markCookieName, userCookieName } from '../../http/cookies.ts'
import type { Origin } from '../../http/origin.ts'
import { toStoredAgent } from '../../recording/stored-text.ts'
import type { SignedIn } from '../users/user.ts'
import { maxSessions } from './user-session.ts'

/** Opens a browser session for a person who has just authenticated; returns the caller and the cookie. */
export async function openUserSession(
  { pool }: Database,
  { userId, tokenGeneration, now }: SignedIn,
  { ip, userAgent }: Pick<Origin, 'ip' | 'userAgent'>,
  signInKind: keyof typeof userSessionMs = 'local',
): Promise<{ user: UserActor; cookie: Cookie }> {
  const userSessionId = newId()
  const { text, hash } = newUserSession()
  const lifetimeMs = userSessionMs[signInKind]
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  // Ends the oldest session if there are too many. If the password changes at the same time, this session ends too, or is not
  // opened.
  const { rowCount } = await pool.query(
    `with ended as (
       delete from user_session
        where user_id = $2
          and (expires_at < $4 or user_session_id not in (select user_session_id from user_session where user_id = $2
                                                           order by user_session_id desc limit $9 - 1))
       returning user_session_id),
     ended_under as (
       delete from console_session
        where user_id = $2 and user_session_id in (select user_session_id from ended))
     insert into user_session (user_session_id, user_id, session_hash, created_at, last_used_at, expires_at, ip, user_agent)
     select $1, user_id, $3, $4, $4, $5, $7, $8 from user_account where user_id = $2 and token_generation = $6 for update`,
    [
      ...[userSessionId, userId, hash, now, expiresAt, tokenGeneration],
      ...[toStoredAddress(ip), toStoredAgent(userAgent), maxSessions],
    ],
  )
  if (rowCount !== 1) throw unauthorized('The account has just changed. Sign in again.')
  return {
    user: { userId, authType: 'jwt', tokenGeneration, userSessionId, newIdentity: null, authenticatedAt: now },
    cookie: { name: userCookieName, value: text, maxAgeSeconds: lifetimeMs / 1000 },
  }
}

/**
 * Creates the cookie that marks the browser as the person's. The cookie outlives the session, so that the person's next sign-in
 * does not wait behind anonymous clients.
 */
export function browserMarkCookie(mark: string): Cookie {
  return { name: markCookieName, value: mark, maxAgeSeconds: daysToSeconds(browserMarkDays) }
}
