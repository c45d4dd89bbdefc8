import { unauthorized } from '../core/errors.ts'
import type { Database } from '../database/client.ts'
import { readBearer } from '../http/bearer.ts'
import type { ExternalIdentity, UserActor } from './actor.ts'
import type { CallerLookups } from './caller-lookups.ts'
import { addExternalAccount } from './external-account.ts'
import type { IdentityServices } from './identity-services.ts'
import type { LastUses } from './last-uses.ts'
import { hashUserSession } from './session.ts'
import { claimedIssuer } from './user-token.ts'

export const noToken = unauthorized('Send your personal sign-in in the header "Authorization: Bearer <token>".')

type UserAccess = { database: Database; identity: IdentityServices; lastUses: LastUses; lookups: CallerLookups }

/** Finds the person with this Bearer token, from this service or the external issuer; throws 401 if it is not valid. */
export async function authenticateToken(services: UserAccess, header: string | undefined): Promise<UserActor> {
  const token = readBearer(header)
  if (token === undefined) throw noToken
  const { externalIssuer } = services.identity
  const isExternal = externalIssuer !== null && claimedIssuer(token) === externalIssuer.issuer
  return isExternal ? authenticateExternalToken(services, token) : authenticateLocalToken(services, token)
}

async function authenticateLocalToken({ database, identity, lookups }: UserAccess, token: string): Promise<UserActor> {
  if (!identity.localSignIn)
    throw unauthorized('Signing in with a password is disabled here. Sign in at your identity provider.')
  const verified = await identity.tokens.verify(token)
  if (!verified) throw unauthorized('This token is not valid. Sign in again.')
  const { expiresAt, ...subject } = verified
  const { rows } = await lookups.ofOwner(subject.userId, () =>
    database.pool.query<{ now: Date }>({
      name: 'authenticate-token',
      text: `select clock_timestamp() as now from user_account
              where user_id = $1 and token_generation = $2 and issuer is null and $3 > clock_timestamp()`,
      values: [subject.userId, subject.tokenGeneration, expiresAt],
    }),
  )
  const [row] = rows
  if (!row) throw unauthorized('This token is no longer valid. Sign in again.')
  return { ...subject, authType: 'jwt', userSessionId: null, newIdentity: null, authenticatedAt: row.now }
}

/**
 * Finds the person with this token of the external issuer. The person's first request creates the account; if people must be
 * invited, accepting the first invite creates it.
 */
async function authenticateExternalToken(services: UserAccess, token: string): Promise<UserActor> {
  const { identity, lookups } = services
  const verified = await identity.externalIssuer?.verify(token)
  if (!verified) throw unauthorized('This token is not valid. Sign in again at your identity provider.')
  return lookups.ofOwner(identity.unknownId(verified), () => findExternalAccount(services, verified))
}

async function findExternalAccount(
  { database, identity }: UserAccess,
  { issuedAt, ...external }: ExternalIdentity & { issuedAt: Date | null },
): Promise<UserActor> {
  const { rows } = await database.pool.query<{
    userId: string | null
    tokenGeneration: string | null
    endedAt: Date | null
    now: Date
  }>({
    name: 'authenticate-external-token',
    text: `select u.user_id as "userId", u.token_generation as "tokenGeneration", e.ended_at as "endedAt", clock_timestamp() as now
             from (select) as one
             left join user_account u on u.issuer = $1 and u.subject = $2
             left join ended_identity e on e.issuer = $1 and e.subject = $2`,
    values: [external.issuer, external.subject],
  })
  const { userId, tokenGeneration, endedAt, now } = rows[0] as (typeof rows)[number]
  // A token's time has whole seconds, so a token issued in the second in which the account was deleted may look older than
  // the deletion.
  if (endedAt && (issuedAt === null || issuedAt <= endedAt)) {
    throw unauthorized('The account of this token was deleted. Sign in again at your identity provider.')
  }
  const commonFields = { authType: 'jwt', userSessionId: null, newIdentity: null, authenticatedAt: now } as const
  if (userId !== null && tokenGeneration !== null) return { ...commonFields, userId, tokenGeneration }

  const unknownId = identity.unknownId(external)
  if (identity.signUp === 'invited')
    return { ...commonFields, userId: unknownId, tokenGeneration: '', newIdentity: external }
  const account = await database.prisma.$transaction((tx) => addExternalAccount(tx, external, { unknownId, now }))
  return { ...commonFields, userId: account.id, tokenGeneration: account.tokenGeneration }
}

type UserSessionRow = Omit<UserActor, 'authType' | 'newIdentity'> & { ownerId: string }

/** Finds the person whose browser has this cookie; throws 401 if the sign-in has ended. */
export async function authenticateUserSession(
  { database, identity, lastUses, lookups }: UserAccess,
  token: string,
  ip: string,
): Promise<UserActor> {
  const hash = hashUserSession(token)
  if (!hash) throw unauthorized('This sign-in is not valid. Sign in again.')
  const row = await lookups.find(hash.toString('hex'), ip, async () => {
    const { rows } = await database.pool.query<UserSessionRow>({
      name: 'authenticate-user-session',
      text: `select s.user_id as "userId", s.user_id as "ownerId", u.token_generation as "tokenGeneration",
                    s.user_session_id as "userSessionId", clock_timestamp() as "authenticatedAt"
               from user_session s join user_account u on u.user_id = s.user_id
              where s.session_hash = $1 and s.expires_at > clock_timestamp() and ($2 or u.issuer is not null)`,
      values: [hash, identity.localSignIn],
    })
    return rows[0]
  })
  if (!row) throw unauthorized('This sign-in has ended. Sign in again.')
  lastUses.userSession(hash.toString('hex'))
  const { ownerId: _, ...actor } = row
  return { ...actor, authType: 'jwt', newIdentity: null }
}
