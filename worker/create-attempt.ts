import type { Logger } from 'pino'
import type { Vault } from '../src/core/vault.ts'
import type { Tracing } from '../src/tracing/tracing.ts'
import type { Clock } from './clock.ts'
import type { DeliveryQueueOptions } from './delivery-queue.ts'
import type { EventToSend } from './delivery-queue-store.ts'
import type { Sender } from './send.ts'

type AttemptOptions = {
  vault: Vault
  sender: Sender
  clock: Clock
  logger: Pick<Logger, 'error'>
  timeoutMs: number
  tracing: Tracing | undefined
}

/** Returns the function that makes one attempt: it signs an event with the endpoint's current secret and sends it. */
export function createAttempt({
  vault,
  sender,
  clock,
  logger,
  timeoutMs,
  tracing,
}: AttemptOptions): DeliveryQueueOptions['attempt'] {
  /** The decrypted secrets by their encrypted buffer, which the events of a batch share. Garbage-collected with the batch. */
  const secrets = new WeakMap<Buffer, string>()

  function secretOf({ organizationId, sealedSecret }: EventToSend): string {
    const known = secrets.get(sealedSecret)
    if (known !== undefined) return known
    const secret = vault.decrypt('webhook-secret', organizationId, sealedSecret)
    secrets.set(sealedSecret, secret)
    return secret
  }

  return async (event, limits) => {
    const { organizationId, eventId, url, body } = event
    try {
      const span = tracing?.startAttempt({ organizationId, eventId, url, number: event.attempts + 1 })
      const result = await sender.send({
        id: eventId,
        url,
        body: Buffer.from(body, 'utf8'),
        secret: secretOf(event),
        now: clock.now(),
        timeoutMs,
        ...(span && { additionalHeaders: span.headers }),
        ...limits,
      })
      // Nothing was sent if the batch lease lapsed: drop the span.
      if (result !== 'lapsed') span?.end(result.status, result.error === null)
      return result
    } catch (error) {
      logger.error({ err: error, organizationId }, 'an event could not be signed')
      return { status: null, error: 'not sent: the signing secret could not be read', answer: null, headers: null }
    }
  }
}
