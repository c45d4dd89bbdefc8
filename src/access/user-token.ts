import type { KeyObject } from 'node:crypto'
import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { deriveSigningKey } from '../core/signing-key.ts'
import type { KeySource } from '../database/master-key.ts'

const issuer = 'entitlements-service'
const lifetimeSeconds = 60 * 60

/** The person who has a token, and the token's generation: tokens of the person's earlier generations have ended. */
type TokenSubject = { userId: string; tokenGeneration: string }

type IssuedToken = { token: string; expiresAt: Date }

/** Bearer tokens of local accounts: signed, so that every process can verify them; a new generation revokes them. */
export type UserTokens = {
  issue(subject: TokenSubject, now: Date): Promise<IssuedToken>
  /** Returns null if this service did not sign the token. Does not check expiry, which depends on the database's clock. */
  verify(token: string): Promise<(TokenSubject & { expiresAt: Date }) | null>
}

export function createUserTokens(vault: KeySource): UserTokens {
  const { privateKey, publicKey } = deriveSigningKey(vault, 'user-token')
  const previous = vault.previous ? [deriveSigningKey(vault.previous, 'user-token').publicKey] : []

  return {
    async issue({ userId, tokenGeneration }, now) {
      const issuedAt = Math.floor(now.getTime() / 1000)
      const expiresAt = issuedAt + lifetimeSeconds
      const token = await new SignJWT({ gen: tokenGeneration })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(privateKey)
      return { token, expiresAt: new Date(expiresAt * 1000) }
    },
    async verify(token) {
      for (const key of [publicKey, ...previous]) {
        const subject = await verifyWith(key, token)
        if (subject) return subject
      }
      return null
    },
  }
}

async function verifyWith(key: KeyObject, token: string): Promise<(TokenSubject & { expiresAt: Date }) | null> {
  try {
    // Verifies the token as of 1970, when no token has expired, so that this process's clock is not used.
    const currentDate = new Date(0)
    const options = { issuer, audience: issuer, algorithms: ['EdDSA'], requiredClaims: ['exp', 'sub'], currentDate }
    const { payload } = await jwtVerify<{ gen?: unknown }>(token, key, options)
    const { sub, gen, exp } = payload
    if (sub === undefined || exp === undefined || typeof gen !== 'string') return null
    return { userId: sub, tokenGeneration: gen, expiresAt: new Date(exp * 1000) }
  } catch {
    return null
  }
}

/** The issuer that a token claims, without verification; null if the text is not a token. */
export function claimedIssuer(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null
  } catch {
    return null
  }
}
