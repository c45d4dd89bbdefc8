import { conflict } from '../../core/errors.ts'
import { noInput } from '../../core/input.ts'
import { defineWrite, type WriteOutcome } from '../../operation/operation.ts'
import { eventAnswer, eventNotFound, isEventId, type WebhookEvent } from './event.ts'
import { loadWebhook } from './webhook.ts'

/** Sends a finished event again, with its own id and body: one more attempt. */
export const resendEvent = defineWrite({
  name: 'resendEvent',
  summary: 'Send a finished event once more, with its own id.',
  method: 'POST',
  route: '/org/webhook/events/{event_id}/resend',
  service: 'api',
  labels: ['webhooks:write'],
  status: 200,
  input: noInput,
  answer: eventAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, now, organizationId, path }): Promise<WriteOutcome<WebhookEvent>> {
    // Locked as by every write that queues: a deletion of the endpoint waits, and drops this event too.
    await tx.$queryRaw`select 1 from webhook_endpoint where organization_id = ${organizationId} for key share`
    await loadWebhook(tx, organizationId)

    const id = path.event_id
    if (!isEventId(id)) throw eventNotFound(id)
    await tx.$queryRaw`select 1 from webhook_event where organization_id = ${organizationId} and event_id = ${id} for update`
    const where = { organizationId_id: { organizationId, id } }
    const event = await tx.webhookEvent.findUnique({ where })
    if (!event) throw eventNotFound(id)
    if (event.state === 'queued') {
      throw conflict({ field: 'state', value: 'queued' }, `Event "${id}" is still queued: it is sent when it is due.`)
    }
    const result = await tx.webhookEvent.update({
      where,
      data: { state: 'queued', once: true, dueAt: now, finishedAt: null },
    })
    return {
      result,
      details: { state: { from: event.state, to: 'queued' } },
      jobs: [{ queue: 'webhook.wake' }],
    }
  },
})
