import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import { Overloaded } from '../core/errors.ts'

type KeySet = ReturnType<typeof createLocalJWKSet>

/** The minimum time between two requests to the provider, whatever clients send and whatever it answers. */
const restMs = 30_000
const timeoutMs = 5_000
/** An older set is read again before it is used. */
const freshMs = 600_000
/** While the provider fails, the last set is used until it is this old. */
const usableMs = 3_600_000
/** Large providers publish about ten keys, of one to two kilobytes with their certificates. */
const maxKeys = 100
const maxBytes = 256 * 1024

/**
 * The public keys of an outside issuer. A failure is remembered like a set: the provider is asked again only after a rest,
 * and tokens that need a newer set are refused with 503 until then. Logs when the provider begins to fail and when it works
 * again, but not each refusal.
 */
export function createIssuerKeys(url: string, logger: Pick<Logger, 'warn'>): JWTVerifyGetKey {
  let held: { keys: KeySet; readAt: number } | null = null
  let askedAt = -Infinity
  let asking: Promise<void> | null = null
  let hasFailed = false

  const age = () => (held ? performance.now() - held.readAt : Infinity)

  async function read(): Promise<void> {
    try {
      held = { keys: await fetchKeys(url), readAt: performance.now() }
      if (hasFailed) logger.warn({}, 'the keys of the identity provider can be read again')
      hasFailed = false
    } catch (error) {
      if (!hasFailed)
        logger.warn(
          { err: error },
          'the keys of the identity provider (AUTH_JWKS_URL) cannot be read: its tokens are verified with the last keys for an hour, then refused. This is logged once',
        )
      hasFailed = true
    } finally {
      asking = null
    }
  }

  /** Reads the keys unless the provider was just asked. Does not reject. */
  async function ask(): Promise<void> {
    if (asking) return asking
    if (performance.now() - askedAt < restMs) return
    askedAt = performance.now()
    asking = read()
    return asking
  }

  return async (header, token) => {
    if (age() > freshMs) {
      const asked = ask()
      // A failing provider would make everyone wait for its timeout.
      if (!hasFailed || age() > usableMs) await asked
    }
    if (!held || age() > usableMs) throw keysUnavailable()
    try {
      return await held.keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // The key may be newer than the set.
      await ask()
      if (hasFailed) throw keysUnavailable()
      return held.keys(header, token)
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
  const response = await fetch(url, {
    headers: { accept: 'application/json, application/jwk-set+json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the provider answered with status ${response.status}`)
  }
  const set = JSON.parse(await readText(response))
  if (!Array.isArray(set?.keys)) throw new Error('the answer is not a set of keys')
  if (set.keys.length > maxKeys) throw new Error(`the set has more than ${maxKeys} keys`)
  return createLocalJWKSet({ keys: set.keys })
}

/** Throws once the answer becomes too long. */
async function readText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
