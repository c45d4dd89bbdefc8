import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** An attempt older than this is not believed: someone may have recorded it and send it again. */
export const maxAgeSeconds = 300

/**
 * Why an attempt is not to be believed, or null when it was signed with this secret and is of now. `body` is the bytes
 * as they came: parsed and written anew, they would be others. Contract: Delivery 8.
 */
export function findFault(headers: IncomingHttpHeaders, body: Uint8Array, secret: string, now: Date): string | null {
  const timestamp = headers['x-service-webhook-timestamp']
  const signature = headers['x-service-webhook-signature']
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return 'it is not signed'

  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  // Comparing byte by byte would tell by its time how much of a guess is right.
  const isRight = given.length === expected.length && timingSafeEqual(given, expected)
  if (!isRight) return 'the signature is of another secret or another body'

  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp))
  return ageSeconds <= maxAgeSeconds ? null : `its timestamp is ${Math.round(ageSeconds)} seconds from this clock`
}
