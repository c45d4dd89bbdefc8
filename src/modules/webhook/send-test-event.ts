import { noInput } from '../../core/input.ts'
import { newEvent } from '../../events/event.ts'
import { defineWrite, type WriteOutcome } from '../../operation/operation.ts'
import type { WebhookEvent } from './event.ts'
import { loadWebhook } from './webhook.ts'

/** Queues an event that says nothing, to see whether the receiver answers: one attempt, outside the count that pauses. */
export const sendTestEvent = defineWrite({
  name: 'sendTestEvent',
  method: 'POST',
  route: '/org/webhook/test',
  service: 'api',
  labels: ['webhooks:write'],
  status: 201,
  input: noInput,
  async run({ tx, now, organizationId }): Promise<WriteOutcome<WebhookEvent>> {
    await tx.$queryRaw`select 1 from webhook_endpoint where organization_id = ${organizationId} for key share`
    await loadWebhook(tx, organizationId)
    const event = newEvent(organizationId, now, { type: 'webhook.test' })
    const { id, type, body, occurredAt, once } = event
    return {
      result: {
        ...{ organizationId, id, type, body, occurredAt, once },
        ...{ state: 'queued', attempts: 0, dueAt: now, finishedAt: null },
      },
      details: { event_id: id },
      events: [event],
    }
  },
})
