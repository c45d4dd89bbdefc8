import type { UserActor } from '../../access/actor.ts'
import { afterDays, newUserSession, secondsOfDays, userSessionDays } from '../../access/session.ts'
import { unauthorized } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Database } from '../../database/client.ts'
import { type Cookie, userCookieName } from '../../http/cookies.ts'
import type { SignedIn } from '../users/user.ts'

/** The sign-in of a browser, for someone who has just authenticated, with the cookie that carries it. */
export async function openUserSession(
  { pool }: Database,
  { userId, tokenGeneration, now }: SignedIn,
): Promise<{ user: UserActor; cookie: Cookie }> {
  const userSessionId = newId()
  const { text, hash } = newUserSession()
  // A concurrent change of the password either also ends this session, or refuses it.
  const { rowCount } = await pool.query(
    `with expired as (delete from user_session where user_id = $2 and expires_at < $4)
     insert into user_session (user_session_id, user_id, session_hash, created_at, expires_at)
     select $1, user_id, $3, $4, $5 from user_account where user_id = $2 and token_generation = $6 for update`,
    [userSessionId, userId, hash, now, afterDays(now, userSessionDays), tokenGeneration],
  )
  if (rowCount !== 1) throw unauthorized('The account was changed at this moment. Sign in again.')
  return {
    user: { userId, authType: 'jwt', tokenGeneration, userSessionId, newIdentity: null, authenticatedAt: now },
    cookie: { name: userCookieName, value: text, maxAgeSeconds: secondsOfDays(userSessionDays) },
  }
}
