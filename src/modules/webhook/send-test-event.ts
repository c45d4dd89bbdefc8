import { noInput } from '../../core/input.ts'
import { newEvent } from '../../events/event.ts'
import { queueEvents } from '../../events/outbox.ts'
import { defineWrite, type WriteOutcome } from '../../operation/operation.ts'
import { assertMayTest, eventAnswer, type WebhookEvent } from './event.ts'
import { webhookNotFound } from './webhook.ts'

/**
 * Sends a test event outside of the queue, to see whether the receiver answers, even while deliveries are paused. Makes one
 * attempt, which changes neither the pause nor the pause count.
 */
export const sendTestEvent = defineWrite({
  name: 'sendTestEvent',
  summary: 'Send a test event at once, with one attempt: ahead of the queue, and even while deliveries are paused.',
  method: 'POST',
  route: '/org/webhook/test',
  service: 'api',
  labels: ['webhooks:write'],
  status: 201,
  input: noInput,
  answer: eventAnswer,
  refusals: ['NOT_FOUND', 'CONFLICT'],
  async run({ tx, now, organizationId }): Promise<WriteOutcome<WebhookEvent>> {
    await assertMayTest(tx, organizationId)
    const event = newEvent(organizationId, now, { type: 'webhook.test' })
    if ((await queueEvents(tx, organizationId, [event])) === 0) throw webhookNotFound()
    const { id } = event
    return {
      result: await tx.webhookEvent.findUniqueOrThrow({ where: { organizationId_id: { organizationId, id } } }),
      details: { event_id: id },
      hasTest: true,
    }
  },
})
