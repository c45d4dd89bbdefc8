import { unauthorized } from '../core/errors.ts'
import type { Database } from '../database/client.ts'
import type { Actor } from './actor.ts'
import { AddressNotAllowed, isAddressNotAllowed, type KeyNetworks } from './allowed-networks.ts'
import { hashApiKey } from './api-key.ts'
import type { CallerLookups } from './caller-lookups.ts'
import type { IdentityServices } from './identity-services.ts'
import type { LastUses } from './last-uses.ts'
import { isMoved, isMoving, organizationMoveInProgress } from './organization-move.ts'
import { consoleSessionIdleHours, hashConsoleSession, hashUserSession } from './session.ts'

type KeyAccessServices = { database: Database; lastUses: LastUses; keyOrigins: KeyNetworks; lookups: CallerLookups }

type SessionServices = Omit<KeyAccessServices, 'keyOrigins'> & { identity: Pick<IdentityServices, 'localSignIn'> }

/** The caller's data from the database. */
type CallerRow = Omit<Actor, 'authType' | 'credentialHash'>

/**
 * Finds the member with this key; throws 401 if the key is unknown, has expired or is bound to other networks, or its member is
 * disabled. Looks the key up for each request, so that a revocation takes effect with the next request, in every process.
 */
export async function authenticateKey(
  { database, lastUses, keyOrigins, lookups }: KeyAccessServices,
  key: string | undefined,
  ip: string,
): Promise<Actor> {
  if (key === undefined || key === '') throw unauthorized()
  const keyHash = hashApiKey(key)
  if (!keyHash) throw unauthorized('This API key is not valid.')

  const row = await lookups.find(keyHash, ip, async () => {
    const statement = {
      name: 'authenticate-key',
      text: `select k.organization_id as "organizationId", coalesce(o.creator_id, o.organization_id) as "ownerId",
                    k.member_id as "memberId", m.role, k.key_prefix as "keyPrefix", ${isMoved('m')} as "isMoved",
                    ${isMoving('m')} as "isMoving", clock_timestamp() as "authenticatedAt",
                    m.status = 'active' as "isActive", cardinality(k.allowed_networks) > 0 as "isBound",
                    ${isAddressNotAllowed('$2::inet')} as "isElsewhere"
               from api_key k
               join member m on m.organization_id = k.organization_id and m.member_id = k.member_id
               join organization o on o.organization_id = k.organization_id
              where k.key_hash = decode($1, 'hex') and (k.expires_at is null or k.expires_at > clock_timestamp())`,
      values: [keyHash, keyOrigins.addressOf(ip)],
    }
    type KeyRow = CallerRow & { isActive: boolean; isBound: boolean; isElsewhere: boolean; isMoved: boolean }
    const { rows } = await database.read((pool) => pool.query<KeyRow>(statement))
    return rows[0]
  })
  if (!row?.isActive) {
    lookups.forget(keyHash)
    throw unauthorized('This API key is not valid, has expired, was revoked, or its member is disabled.')
  }
  if (row.isMoved) throw organizationMoveInProgress()
  if (row.isElsewhere) {
    keyOrigins.refused()
    throw new AddressNotAllowed()
  }
  lastUses.key(keyHash)
  const { isActive: _, isBound, isElsewhere: __, isMoved: ___, ...found } = row
  const actor: Actor = { ...found, authType: 'member_apikey', credentialHash: keyHash }
  if (isBound || actor.isMoving) lookups.remembered.delete(keyHash)
  else lookups.remembered.set(keyHash, { ...actor, isRemembered: true })
  return actor
}

/** The member that this process last found with this key, or null if the key must be looked up. */
export function findCachedMember(
  { lastUses, lookups }: Pick<KeyAccessServices, 'lastUses' | 'lookups'>,
  key: string,
): Actor | null {
  const actor = lookups.remembered.get(hashApiKey(key) ?? '')
  if (!actor) return null
  lastUses.key(actor.credentialHash)
  return actor
}

/**
 * Finds the member with this console session in this organization; throws 401 if the session has ended: by sign-out, because
 * the member was disabled or the password changed, after 12 hours without use, or after 7 days. A session is valid only
 * together with the browser's sign-in under which it was opened, so that nobody who signs in there later can use it; a session
 * that was opened with a token is valid only without a sign-in.
 */
export async function authenticateSession(
  { database, identity, lastUses, lookups }: SessionServices,
  { organizationId, token, signIn, ip }: { organizationId: string; token: string; signIn: string | null; ip: string },
): Promise<Actor> {
  const hash = hashConsoleSession(token)
  const signInHash = signIn === null ? null : hashUserSession(signIn)
  if (!hash || (signIn !== null && !signInHash))
    throw unauthorized('This session is not valid. Sign in to the organization again.')

  const credential = `${organizationId} ${hash.toString('hex')} ${signInHash?.toString('hex') ?? ''}`
  const row = await lookups.find(credential, ip, async () => {
    const statement = {
      name: 'authenticate-session',
      text: `select s.organization_id as "organizationId", coalesce(o.creator_id, o.organization_id) as "ownerId",
                    s.member_id as "memberId", m.role, s.session_prefix as "keyPrefix", ${isMoved('m')} as "isMoved",
                    ${isMoving('m')} as "isMoving", clock_timestamp() as "authenticatedAt"
               from console_session s
               join member m on m.organization_id = s.organization_id and m.member_id = s.member_id
               join organization o on o.organization_id = s.organization_id
              where s.session_hash = $1 and s.organization_id = $2 and m.status = 'active'
                and s.expires_at > clock_timestamp()
                and s.last_used_at > clock_timestamp() - $3 * interval '1 hour'
                and (s.user_session_id is null and $5::bytea is null
                  or exists (select from user_session u
                              where u.user_session_id = s.user_session_id and u.user_id = s.user_id
                                and u.session_hash = $5 and u.expires_at > clock_timestamp()))
                and ($4 or exists (select from user_account u where u.user_id = s.user_id and u.issuer is not null))`,
      values: [hash, organizationId, consoleSessionIdleHours, identity.localSignIn, signInHash],
    }
    const { rows } = await database.read((pool) => pool.query<CallerRow & { isMoved: boolean }>(statement))
    return rows[0]
  })
  if (!row) throw unauthorized('This session has ended. Sign in to the organization again.')
  if (row.isMoved) throw organizationMoveInProgress()
  lastUses.session(hash.toString('hex'))
  const { isMoved: _, ...found } = row
  return { ...found, authType: 'member_session', credentialHash: hash.toString('hex') }
}
