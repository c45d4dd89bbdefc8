import { conflict } from '../../core/errors.ts'
import { noInput } from '../../core/input.ts'
import { defineWrite, type WriteOutcome } from '../../operation/operation.ts'
import { eventAnswer, lockEvent, type WebhookEvent } from './event.ts'

/** Makes a queued event due now. It keeps its remaining attempts. */
export const retryEvent = defineWrite({
  name: 'retryEvent',
  summary: "Make a queued event's next attempt due now.",
  method: 'POST',
  route: '/org/webhook/events/{event_id}/retry',
  service: 'api',
  labels: ['webhooks:write'],
  status: 200,
  input: noInput,
  answer: eventAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, now, organizationId, path }): Promise<WriteOutcome<WebhookEvent>> {
    const event = await lockEvent(tx, organizationId, path.event_id)
    const { id, type, state, dueAt } = event
    if (state !== 'queued' || dueAt === null) {
      throw conflict({ field: 'state', value: state }, `Event "${id}" is ${state}. To send it again, resend it.`)
    }
    // An event that is already due keeps its position in the queue; a test is sent at once anyway.
    if (dueAt <= now || type === 'webhook.test') return { result: event, details: null, mayBeDue: true }
    return {
      result: await tx.webhookEvent.update({
        where: { organizationId_id: { organizationId, id } },
        data: { dueAt: now },
      }),
      details: { due_at: { from: dueAt, to: now } },
      mayBeDue: true,
    }
  },
})
