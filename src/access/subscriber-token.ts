import { createSecretKey } from 'node:crypto'
import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { currentTime } from '../core/clock.ts'
import { unauthorized } from '../core/errors.ts'
import type { Vault } from '../core/vault.ts'

const typ = 'entitlements-subscriber+jwt'
const algorithm = 'HS256'

/** A subscriber who asks with a token. The token is worth nothing once its key, the key's label or the subscriber is gone. */
export type TokenHolder = {
  organizationId: string
  subscriberId: string
  /** When the subscriber was created: another one may have its id later. */
  subscriberSince: Date
  /** The key that made the token. */
  keyId: string
  /** A whole second. */
  expiresAt: Date
}

/** Tokens of subscribers: signed, so that every process can verify them, and stored nowhere. */
export type SubscriberTokens = {
  issue(holder: TokenHolder): Promise<string>
  /** 401 when the token is not ours, or its time is over. Does not look up whether it ended earlier. */
  verify(token: string): Promise<TokenHolder>
}

type Claims = JWTPayload & { org: string; sub: string; since: number; key: string; exp: number }

export function createSubscriberTokens(vault: Pick<Vault, 'deriveKey'>): SubscriberTokens {
  const key = createSecretKey(vault.deriveKey('subscriber-token'))
  return {
    issue({ organizationId, subscriberId, subscriberSince, keyId, expiresAt }) {
      return new SignJWT({ org: organizationId, since: subscriberSince.getTime(), key: keyId })
        .setProtectedHeader({ alg: algorithm, typ })
        .setSubject(subscriberId)
        .setExpirationTime(expiresAt.getTime() / 1000)
        .sign(key)
    },
    async verify(token) {
      const claims = await readClaims(token, key)
      if (claims === null) throw hasEnded()
      const { org, sub, since, key: keyId, exp } = claims
      return {
        organizationId: org,
        subscriberId: sub,
        subscriberSince: new Date(since),
        keyId,
        expiresAt: new Date(exp * 1000),
      }
    },
  }
}

async function readClaims(token: string, key: Parameters<typeof jwtVerify>[1]): Promise<Claims | null> {
  const currentDate = currentTime()
  const options = { algorithms: [algorithm], typ, requiredClaims: ['org', 'sub', 'since', 'key', 'exp'], currentDate }
  try {
    return (await jwtVerify<Claims>(token, key, options)).payload
  } catch {
    return null
  }
}

/** Whether the text claims to be a subscriber's token, valid or not. */
export function isSubscriberToken(text: string): boolean {
  // Evals with keys need not pay for an exception: the header of a token is an object.
  if (!text.startsWith('ey')) return false
  try {
    return decodeProtectedHeader(text).typ === typ
  } catch {
    return false
  }
}

export function hasEnded() {
  return unauthorized(
    'This token is not valid, or has ended. Get a new one from POST /org/subscribers/{subscriber_id}/tokens, with a key.',
  )
}
