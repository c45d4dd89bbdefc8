import { deleteWebhook } from '../../src/modules/webhook/delete-webhook.ts'
import type { WebhookEvent } from '../../src/modules/webhook/event.ts'
import { disableWebhook, enableWebhook } from '../../src/modules/webhook/pause-webhook.ts'
import { putWebhook, type WebhookWithSecret } from '../../src/modules/webhook/put-webhook.ts'
import { countEvents, listEvents } from '../../src/modules/webhook/read-events.ts'
import { readWebhook } from '../../src/modules/webhook/read-webhook.ts'
import { resendEvent } from '../../src/modules/webhook/resend-event.ts'
import { rotateWebhook } from '../../src/modules/webhook/rotate-webhook.ts'
import { sendTestEvent } from '../../src/modules/webhook/send-test-event.ts'
import type { Webhook } from '../../src/modules/webhook/webhook.ts'
import { asText, pageParameters } from '../query.ts'
import { noBody, route } from '../route.ts'

export const webhookRoutes = [
  route(readWebhook, { reply: webhookBody }),
  route(putWebhook, { reply: bodyWithSecret }),
  route(rotateWebhook, { reply: bodyWithSecret }),
  route(disableWebhook, { reply: webhookBody }),
  route(enableWebhook, { reply: webhookBody }),
  route(deleteWebhook, { reply: noBody }),
  route(listEvents, {
    query: { ...pageParameters, state: asText },
    reply: ({ items, hasMore }) => ({ events: items.map(eventBody), has_more: hasMore }),
  }),
  route(countEvents, { reply: (counts) => counts }),
  route(sendTestEvent, { reply: eventBody }),
  route(resendEvent, { reply: eventBody }),
]

function webhookBody({ url, secretPrefix, disabled, createdAt, updatedAt }: Webhook) {
  return { url, secret_prefix: secretPrefix, disabled, created_at: createdAt, updated_at: updatedAt }
}

/** `secret` is there once: where it was just made. */
function bodyWithSecret({ webhook, secret }: WebhookWithSecret) {
  const { url, ...rest } = webhookBody(webhook)
  return { url, ...(secret !== null && { secret }), ...rest }
}

/** How an event stands, not what it says. */
function eventBody({ id, type, state, attempts, occurredAt, dueAt, finishedAt }: WebhookEvent) {
  return { id, type, state, attempts, occurred_at: occurredAt, due_at: dueAt, finished_at: finishedAt }
}
