import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { unavailable } from '../core/errors.ts'
import { lengthOf } from '../core/fields.ts'
import { isStorableText } from '../core/json.ts'
import type { OutsideIdentity } from './actor.ts'

/** An outside identity provider whose tokens are accepted. */
export type OutsideIssuer = {
  issuer: string
  /** Null when the token is not valid; 503 when the provider's keys are unavailable. */
  verify(token: string): Promise<(OutsideIdentity & { issuedAt: Date | null }) | null>
}

export type OutsideIssuerOptions = { issuer: string; audience: string; jwksUrl: string }

/** Signatures that need the provider's private key: this excludes a token signed with a public key as its secret. */
const algorithms = [
  ...['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512'],
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
]
const clockToleranceSeconds = 5
const maxSubjectLength = 255

export function createOutsideIssuer({ issuer, audience, jwksUrl }: OutsideIssuerOptions): OutsideIssuer {
  // A new key of the provider is requested at most twice a minute, whatever clients send.
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: 5_000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
  })
  return {
    issuer,
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience,
          algorithms,
          requiredClaims: ['exp', 'sub'],
          clockTolerance: clockToleranceSeconds,
        })
        const { sub = '', iat, email, name } = payload as typeof payload & { email?: unknown; name?: unknown }
        if (!isUsable(sub, maxSubjectLength)) return null
        return {
          issuer,
          subject: sub,
          email: isUsable(email, 254) ? email : null,
          displayName: [name, email, sub].find((text) => isUsable(text, 255)) as string,
          issuedAt: iat === undefined ? null : new Date(iat * 1000),
        }
      } catch (error) {
        if (isTokenFault(error)) return null
        throw unavailable(
          'The identity provider cannot be reached, so nobody can be recognised. Try again soon.',
          error,
        )
      }
    },
  }
}

function isUsable(text: unknown, maxLength: number): text is string {
  return typeof text === 'string' && text !== '' && isStorableText(text) && lengthOf(text) <= maxLength
}

/** The token is wrong, rather than the connection to the provider. */
function isTokenFault(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false
  const keysFault = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid
  return !keysFault && error.code !== 'ERR_JOSE_GENERIC'
}
