import { conflict } from '../../core/errors.ts'
import { noInput } from '../../core/input.ts'
import { defineWrite, type WriteOutcome } from '../../operation/operation.ts'
import { assertMayTest, eventAnswer, lockEvent, type WebhookEvent } from './event.ts'

/** Sends a finished event again, with the same id and body, in one more attempt. */
export const resendEvent = defineWrite({
  name: 'resendEvent',
  summary: 'Send a finished event again, under the same id.',
  method: 'POST',
  route: '/org/webhook/events/{event_id}/resend',
  service: 'api',
  labels: ['webhooks:write'],
  status: 200,
  input: noInput,
  answer: eventAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, now, organizationId, path }): Promise<WriteOutcome<WebhookEvent>> {
    const event = await lockEvent(tx, organizationId, path.event_id)
    const { id } = event
    if (event.state === 'queued') {
      throw conflict(
        { field: 'state', value: 'queued' },
        `Event "${id}" is still queued: it will be sent when it is due.`,
      )
    }
    const hasTest = event.type === 'webhook.test'
    if (hasTest) await assertMayTest(tx, organizationId)
    const result = await tx.webhookEvent.update({
      where: { organizationId_id: { organizationId, id } },
      data: { state: 'queued', once: true, dueAt: now, finishedAt: null },
    })
    return {
      result,
      details: { state: { from: event.state, to: 'queued' } },
      hasTest,
      mayBeDue: !hasTest,
    }
  },
})
