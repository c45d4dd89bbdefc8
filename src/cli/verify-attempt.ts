import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** An attempt older than this is rejected: someone may have captured it and sent it again. */
const maxAgeSeconds = 300

/**
 * Why an attempt must not be trusted, or null when it was recently signed with this secret. `body` is the received
 * bytes: parsed and serialized again, they would differ. Contract: Delivery 8.
 */
export function findFault(headers: IncomingHttpHeaders, body: Uint8Array, secret: string, now: Date): string | null {
  const timestamp = headers['x-service-webhook-timestamp']
  const signature = headers['x-service-webhook-signature']
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return 'it is not signed'

  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  // The duration of a comparison byte by byte would reveal how much of a guess is right.
  const isRight = given.length === expected.length && timingSafeEqual(given, expected)
  if (!isRight) return 'the signature is of another secret or another body'

  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp))
  return ageSeconds <= maxAgeSeconds ? null : `its timestamp is ${Math.round(ageSeconds)} seconds from this clock`
}
