import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import { Overloaded } from '../core/errors.ts'
import { readBoundedText } from './bounded-answer.ts'
import { CachedRead } from './cached-read.ts'
import { fetchFromProvider } from './fetch-from-provider.ts'

type KeySet = ReturnType<typeof createLocalJWKSet>

const timeoutMs = 5_000
/** An older key set is read again before it is used. */
const freshMs = 600_000
/** While the provider fails, its last key set is used until it reaches this age. */
const usableMs = 3_600_000
const maxKeys = 100

/**
 * The public keys of an external issuer. While the issuer fails, tokens that need a newer key set are refused with 503. Logs
 * when the issuer begins to fail and when it works again, but not each refusal.
 */
export function createIssuerKeys(url: string, logger: Pick<Logger, 'warn'>): JWTVerifyGetKey {
  const keys = new CachedRead<KeySet>({
    read: () => fetchKeys(url),
    onFailed: (error) =>
      logger.warn(
        { err: error },
        'the keys of the identity provider (AUTH_JWKS_URL) cannot be read: its tokens are verified with the last keys for an hour, then refused. This is logged once',
      ),
    onRecovered: () => logger.warn({}, 'the keys of the identity provider can be read again'),
  })

  return async (header, token) => {
    if (keys.ageMs > freshMs) {
      const reading = keys.ask()
      // Does not wait for a provider that fails, because each request would then wait until the timeout.
      if (!keys.hasFailed || keys.ageMs > usableMs) await reading
    }
    if (!keys.value || keys.ageMs > usableMs) throw keysUnavailable()
    try {
      return await keys.value(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // The key may be newer than the set.
      await keys.ask()
      if (keys.hasFailed) throw keysUnavailable()
      return keys.value(header, token)
    }
  }
}

function keysUnavailable(): Overloaded {
  return new Overloaded(
    'identity_provider',
    'The identity provider cannot be reached, so its tokens cannot be verified. Try again soon.',
  )
}

async function fetchKeys(url: string): Promise<KeySet> {
  const response = await fetchFromProvider(url, {
    headers: { accept: 'application/json, application/jwk-set+json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the provider answered with status ${response.status}`)
  }
  const set = JSON.parse(await readBoundedText(response))
  if (!Array.isArray(set?.keys)) throw new Error('the answer is not a set of keys')
  if (set.keys.length > maxKeys) throw new Error(`the set has more than ${maxKeys} keys`)
  return createLocalJWKSet({ keys: set.keys })
}
