import { unauthorized } from '../core/errors.ts'
import { idOf } from '../core/ids.ts'
import type { Database } from '../database/client.ts'
import type { OutsideIdentity, UserActor } from './actor.ts'
import type { Identity } from './identity.ts'
import { hashUserSession } from './session.ts'
import { claimedIssuer } from './user-token.ts'

export const noToken = unauthorized('Send your personal sign-in in the header "Authorization: Bearer <token>".')

type Recognise = { database: Database; identity: Identity }

/** The person whose Bearer token this is: one of ours, or one of the outside issuer. 401 when it is neither, or ended. */
export async function authenticateToken(services: Recognise, header: string | undefined): Promise<UserActor> {
  const token = /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined) throw noToken
  const { outsideIssuer } = services.identity
  const isOutside = outsideIssuer !== null && claimedIssuer(token) === outsideIssuer.issuer
  return isOutside ? authenticateOutsideToken(services, token) : authenticateLocalToken(services, token)
}

async function authenticateLocalToken({ database, identity }: Recognise, token: string): Promise<UserActor> {
  const verified = await identity.tokens.verify(token)
  if (!verified) throw unauthorized('This token is not valid. Sign in again.')
  const { expiresAt, ...subject } = verified
  const { rows } = await database.pool.query<{ now: Date }>({
    name: 'authenticate-token',
    text: `select clock_timestamp() as now from user_account
            where user_id = $1 and token_generation = $2 and issuer is null and $3 > clock_timestamp()`,
    values: [subject.userId, subject.tokenGeneration, expiresAt],
  })
  const [row] = rows
  if (!row) throw unauthorized('This token has ended. Sign in again.')
  return { ...subject, authType: 'jwt', userSessionId: null, newIdentity: null, authenticatedAt: row.now }
}

/** An account is made at the first request, unless people have to be invited: then the first invite makes it. */
async function authenticateOutsideToken({ database, identity }: Recognise, token: string): Promise<UserActor> {
  const verified = await identity.outsideIssuer?.verify(token)
  if (!verified) throw unauthorized('This token is not valid. Sign in again where it comes from.')
  const { issuedAt, ...outside } = verified
  const { rows } = await database.pool.query<{ user_id: string | null; ended_at: Date | null; now: Date }>({
    name: 'authenticate-outside-token',
    text: `select (select user_id from user_account where issuer = $1 and subject = $2) as user_id,
                  (select ended_at from ended_identity where issuer = $1 and subject = $2) as ended_at,
                  clock_timestamp() as now`,
    values: [outside.issuer, outside.subject],
  })
  const { user_id: knownId, ended_at: endedAt, now } = rows[0] as (typeof rows)[number]
  // A token tells its time in whole seconds: one of the second in which the account ended may be older than that.
  if (endedAt && (issuedAt === null || issuedAt <= endedAt)) {
    throw unauthorized('The account of this token was deleted. Sign in again where it comes from.')
  }
  const actor: UserActor = {
    // What is recorded of an identity before it has an account stands under the id that its account will have.
    userId: knownId ?? idOf(outside.issuer, outside.subject, endedAt?.toISOString() ?? ''),
    authType: 'jwt',
    tokenGeneration: 0,
    userSessionId: null,
    newIdentity: knownId === null ? outside : null,
    authenticatedAt: now,
  }
  if (knownId !== null || identity.signUp === 'invited') return actor
  return { ...actor, userId: await addAccount(database, actor.userId, outside, now), newIdentity: null }
}

async function addAccount(
  { pool }: Database,
  userId: string,
  { issuer, subject, email, displayName }: OutsideIdentity,
  now: Date,
): Promise<string> {
  await pool.query(
    `insert into user_account (user_id, email, issuer, subject, display_name, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6) on conflict do nothing`,
    [userId, email, issuer, subject, displayName, now],
  )
  // Another request may have made it at the same moment.
  const { rows } = await pool.query<{ user_id: string }>(
    'select user_id from user_account where issuer = $1 and subject = $2',
    [issuer, subject],
  )
  if (!rows[0]) throw unauthorized('The account of this token was just deleted.')
  return rows[0].user_id
}

/** The person whose browser has this cookie; 401 when that sign-in ended. */
export async function authenticateUserSession({ database }: Recognise, token: string): Promise<UserActor> {
  const hash = hashUserSession(token)
  if (!hash) throw unauthorized('This sign-in is not valid. Sign in again.')
  const { rows } = await database.pool.query<{
    user_id: string
    token_generation: number
    user_session_id: string
    now: Date
  }>({
    name: 'authenticate-user-session',
    text: `select s.user_id, u.token_generation, s.user_session_id, clock_timestamp() as now
             from user_session s join user_account u on u.user_id = s.user_id
            where s.session_hash = $1 and s.expires_at > clock_timestamp()`,
    values: [hash],
  })
  const [row] = rows
  if (!row) throw unauthorized('This sign-in has ended. Sign in again.')
  return {
    userId: row.user_id,
    authType: 'jwt',
    tokenGeneration: row.token_generation,
    userSessionId: row.user_session_id,
    newIdentity: null,
    authenticatedAt: row.now,
  }
}
