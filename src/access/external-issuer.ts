import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Logger } from 'pino'
import { currentTime } from '../core/clock.ts'
import { DomainError, unavailable } from '../core/errors.ts'
import { hasAtMostCharacters, maxNameLength } from '../core/fields.ts'
import { isStorableText } from '../core/json.ts'
import type { ExternalIdentity } from './actor.ts'
import { createIssuerKeys } from './issuer-keys.ts'

/** An external identity provider whose tokens are accepted. */
export type ExternalIssuer = {
  issuer: string
  /** Returns null if the token is not valid; throws 503 if the provider's keys are unavailable. */
  verify(token: string): Promise<(ExternalIdentity & { issuedAt: Date | null }) | null>
}

type ExternalIssuerOptions = { issuer: string; audience: string; jwksUrl: string }

/** Only algorithms with key pairs: with others, anyone could sign a token with a public key as the secret. */
const algorithms = [
  ...['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512'],
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
]
const clockToleranceSeconds = 5
const maxSubjectLength = 255

export function createExternalIssuer(
  { issuer, audience, jwksUrl }: ExternalIssuerOptions,
  logger: Pick<Logger, 'warn'>,
): ExternalIssuer {
  const keys = createIssuerKeys(jwksUrl, logger)
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
          currentDate: currentTime(),
        })
        const identity = toExternalIdentity(issuer, payload)
        return identity && { ...identity, issuedAt: toIssuedAt(payload) }
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        if (error instanceof DomainError) throw error
        throw unavailable('The keys of the identity provider cannot be used. Try again later.', error)
      }
    },
  }
}

/** The person that these verified claims identify; null if their subject cannot be stored. */
export function toExternalIdentity(issuer: string, claims: JWTPayload): ExternalIdentity | null {
  const { sub, email, name } = claims
  if (!isStorable(sub, maxSubjectLength)) return null
  return {
    issuer,
    subject: sub,
    email: isStorable(email, 254) ? email : null,
    displayName: [name, email, sub].find((text) => isStorable(text, maxNameLength)) as string,
  }
}

export function toIssuedAt({ iat }: JWTPayload): Date | null {
  return iat === undefined ? null : new Date(iat * 1000)
}

function isStorable(text: unknown, maxLength: number): text is string {
  return typeof text === 'string' && text !== '' && isStorableText(text) && hasAtMostCharacters(text, maxLength)
}
