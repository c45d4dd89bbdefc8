import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Older attempts are rejected: someone may have captured and resent them. */
const maxAgeSeconds = 300

/**
 * Why an attempt must not be trusted, or null if it was recently signed with this secret. `body` must be the received
 * bytes: parsing and serializing would change them. Contract: Delivery 8.
 */
export function findFault(headers: IncomingHttpHeaders, body: Uint8Array, secret: string, now: Date): string | null {
  const timestamp = headers['x-service-webhook-timestamp']
  const signature = headers['x-service-webhook-signature']
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return 'it is not signed'

  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  const givenSignature = Buffer.from(signature, 'hex')
  // The duration of a byte-by-byte comparison would reveal how much of a guess is right.
  const isRight = givenSignature.length === expected.length && timingSafeEqual(givenSignature, expected)
  if (!isRight) return 'the signature was made with another secret or for another body'

  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp))
  return ageSeconds <= maxAgeSeconds
    ? null
    : `its timestamp and this machine's clock are ${Math.round(ageSeconds)} seconds apart`
}
