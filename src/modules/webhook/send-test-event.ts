import { noInput } from '../../core/input.ts'
import { newEvent } from '../../events/event.ts'
import { queueEvents } from '../../events/outbox.ts'
import { defineWrite, type WriteOutcome } from '../../operation/operation.ts'
import { eventAnswer, type WebhookEvent } from './event.ts'
import { webhookNotFound } from './webhook.ts'

/** Queues a test event, to see whether the receiver answers: one attempt, and its failure does not count towards a pause. */
export const sendTestEvent = defineWrite({
  name: 'sendTestEvent',
  summary: 'Queue a test event: one attempt, whose failure does not count towards a pause.',
  method: 'POST',
  route: '/org/webhook/test',
  service: 'api',
  labels: ['webhooks:write'],
  status: 201,
  input: noInput,
  answer: eventAnswer,
  refusals: ['NOT_FOUND'],
  async run({ tx, now, organizationId }): Promise<WriteOutcome<WebhookEvent>> {
    const event = newEvent(organizationId, now, { type: 'webhook.test' })
    if ((await queueEvents(tx, organizationId, [event])) === 0) throw webhookNotFound()
    const { id } = event
    return {
      result: await tx.webhookEvent.findUniqueOrThrow({ where: { organizationId_id: { organizationId, id } } }),
      details: { event_id: id },
      mayBeDue: true,
    }
  },
})
