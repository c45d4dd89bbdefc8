import type { ChangeEvent } from './change-event.ts'
import { newDecoder, toBytes } from './platform.ts'
import type { ServerClock } from './server-clock.ts'

/** `Headers`, or an object such as Node's `request.headers`. */
export type HeadersLike =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** The result of a webhook: answer its sender with `status`. */
export type WebhookAnswer = {
  /** 204: accepted. 400: malformed. 401: not signed with the secret, or too old. */
  status: 204 | 400 | 401
  /** The change that the webhook announces; null if the webhook was refused. */
  event: ChangeEvent | null
  /** The reason for a refusal, for a log. */
  problem: string | null
}

/** The time for which a signature is valid, by the service's clock. */
const maxAgeMs = 300_000

/**
 * Checks that a webhook comes from the service. `rawBody` is the body as received: parsing it and serializing it again would
 * change the text that the signature covers.
 */
export async function readWebhook(
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  { secrets, clock }: { secrets: readonly string[]; clock: ServerClock },
): Promise<WebhookAnswer> {
  const timestamp = headerOf(headers, 'x-service-webhook-timestamp')
  const signature = bytesOf(headerOf(headers, 'x-service-webhook-signature'))
  if (!/^\d{1,12}$/.test(timestamp) || !signature) return refuse(401, 'The request has no signature.')
  if (secrets.length === 0) return refuse(401, 'The option webhookSecret is missing.')
  const body = typeof rawBody === 'string' ? toBytes(rawBody) : rawBody
  const head = toBytes(`${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const checks = await Promise.all(secrets.map((secret) => isSigned(signed, signature, secret)))
  if (!checks.includes(true)) return refuse(401, 'The signature does not match the option webhookSecret.')
  const ageMs = clock.now() - Number(timestamp) * 1_000
  if (Math.abs(ageMs) > maxAgeMs) return refuse(401, `The request was signed ${Math.round(ageMs / 1_000)} seconds ago.`)
  try {
    const event: unknown = JSON.parse(newDecoder().decode(body))
    if (isEvent(event)) return { status: 204, event, problem: null }
  } catch {
    // The body is not JSON, and is refused below.
  }
  return refuse(400, 'The body is not an event.')
}

function refuse(status: 400 | 401, problem: string): WebhookAnswer {
  return { status, event: null, problem }
}

function isEvent(value: unknown): value is ChangeEvent {
  return typeof value === 'object' && value !== null && typeof (value as ChangeEvent).type === 'string'
}

function headerOf(headers: HeadersLike, name: string): string {
  if (typeof headers.get === 'function') return (headers as { get(name: string): string | null }).get(name) ?? ''
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return String(Array.isArray(value) ? value[0] : value)
  }
  return ''
}

/** The bytes of a SHA-256 hash in hex; null if the text is not such a hash. */
function bytesOf(hex: string): Uint8Array | null {
  if (!/^[0-9a-f]{64}$/.test(hex)) return null
  return Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16))
}

type Subtle = {
  importKey(format: 'raw', key: Uint8Array, algorithm: object, isExtractable: boolean, uses: string[]): Promise<unknown>
  verify(algorithm: string, key: unknown, signature: Uint8Array, data: Uint8Array): Promise<boolean>
}
type Crypto = { subtle: Subtle }

/** Verifies the signature with Web Crypto, which compares in constant time. */
async function isSigned(data: Uint8Array, signature: Uint8Array, secret: string): Promise<boolean> {
  const { subtle } = await webCrypto()
  const key = await subtle.importKey('raw', toBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  return subtle.verify('HMAC', key, signature, data)
}

async function webCrypto(): Promise<Crypto> {
  const { crypto } = globalThis as { crypto?: Crypto }
  if (crypto) return crypto
  // Node 18 has Web Crypto only in a module, which bundlers for browsers must not try to find.
  const name = 'node:crypto'
  const { webcrypto } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as { webcrypto: Crypto }
  return webcrypto
}
