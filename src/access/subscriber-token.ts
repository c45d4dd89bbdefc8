import { createSecretKey, type KeyObject } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { currentTime } from '../core/clock.ts'
import { unauthorized } from '../core/errors.ts'
import type { KeySource } from '../database/master-key.ts'
import { installationName, routingFields } from './installation.ts'

const typ = 'entitlements-subscriber+jwt'
const streamTyp = 'entitlements-stream+jwt'
const { alg: algorithm } = routingFields('', '')

/** How long a client may use the address of a stream to open it. */
const streamUrlSeconds = 300

/** A subscriber with a token. The token ends when its key, the key's label or the subscriber no longer exists. */
export type TokenSubject = {
  organizationId: string
  subscriberId: string
  /** When the subscriber was created: another subscriber may get its id later. */
  subscriberSince: Date
  /** The id of the API key with which the token was made. */
  keyId: string
  /** When the token expires, in whole seconds. */
  expiresAt: Date
}

/**
 * Issues and verifies the tokens of subscribers. They are signed, so that every process can verify them, and stored nowhere.
 */
export type SubscriberTokens = {
  issue(tokenSubject: TokenSubject): Promise<string>
  /** Throws 401 if the token is not signed by this service or has expired. Does not check whether it was revoked. */
  verify(token: string): Promise<TokenSubject>
  /**
   * Makes a token for the address of a stream of the token subject's changes after the cursor. It gives access to nothing else,
   * and may be used for five minutes; the stream ends when the subscriber token expires.
   */
  issueForStream(tokenSubject: TokenSubject, after: string): Promise<string>
  verifyForStream(token: string): Promise<TokenSubject>
}

type Claims = JWTPayload & { org: string; sub: string; since: number; key: string; exp: number; until?: number }

export function createSubscriberTokens(vault: KeySource): SubscriberTokens {
  const key = createSecretKey(vault.deriveKey('subscriber-token'))
  const keys = [key, ...(vault.previous ? [createSecretKey(vault.previous.deriveKey('subscriber-token'))] : [])]

  function sign(
    typ: string,
    { organizationId, subscriberId, subscriberSince, keyId }: TokenSubject,
    claims: JWTPayload,
  ) {
    return new SignJWT({ org: organizationId, since: subscriberSince.getTime(), key: keyId, ...claims })
      .setProtectedHeader({ ...routingFields(installationName(), organizationId), typ })
      .setSubject(subscriberId)
      .sign(key)
  }

  return {
    issue: (tokenSubject) => sign(typ, tokenSubject, { exp: toSeconds(tokenSubject.expiresAt) }),
    verify: (token) => readTokenSubject(token, keys, typ),
    issueForStream(tokenSubject, after) {
      const until = toSeconds(tokenSubject.expiresAt)
      const exp = Math.min(until, Math.floor(toSeconds(currentTime())) + streamUrlSeconds)
      return sign(streamTyp, tokenSubject, { exp, until, after })
    },
    verifyForStream: (token) => readTokenSubject(token, keys, streamTyp),
  }
}

/** The cursor at which a stream begins, from the token in its address, which must have been verified. */
export function readStreamStart(token: string): string {
  return String(decodeJwt(token).after)
}

function toSeconds(time: Date): number {
  return time.getTime() / 1000
}

async function readTokenSubject(token: string, keys: readonly KeyObject[], typ: string): Promise<TokenSubject> {
  const currentDate = currentTime()
  const options = { algorithms: [algorithm], typ, requiredClaims: ['org', 'sub', 'since', 'key', 'exp'], currentDate }
  const tried = keys.map((key) => jwtVerify<Claims>(token, key, options))
  const verified = await Promise.any(tried).catch(() => null)
  if (!verified) throw tokenHasEnded()
  const { org, sub, since, key: keyId, exp, until = exp } = verified.payload
  return {
    organizationId: org,
    subscriberId: sub,
    subscriberSince: new Date(since),
    keyId,
    expiresAt: new Date(until * 1000),
  }
}

/** Whether the text claims to be a subscriber's token, valid or not. */
export function isSubscriberToken(text: string): boolean {
  // Avoids the cost of an exception for evals with keys: a token begins with `ey`, because its header is a JSON object.
  if (!text.startsWith('ey')) return false
  try {
    return decodeProtectedHeader(text).typ === typ
  } catch {
    return false
  }
}

export function tokenHasEnded() {
  return unauthorized(
    'This token is not valid, or has expired. Get a new one from POST /org/subscribers/{subscriber_id}/tokens, with a key.',
  )
}
