import { deleteWebhook } from '../../src/modules/webhook/delete-webhook.ts'
import { disableWebhook, enableWebhook } from '../../src/modules/webhook/pause-webhook.ts'
import { putWebhook } from '../../src/modules/webhook/put-webhook.ts'
import { countEvents, listEvents, readEvent } from '../../src/modules/webhook/read-events.ts'
import { readWebhook } from '../../src/modules/webhook/read-webhook.ts'
import { resendEvent } from '../../src/modules/webhook/resend-event.ts'
import { retryEvent } from '../../src/modules/webhook/retry-event.ts'
import { rotateWebhook } from '../../src/modules/webhook/rotate-webhook.ts'
import { sendTestEvent } from '../../src/modules/webhook/send-test-event.ts'
import { route } from '../route.ts'

export const webhookRoutes = [
  route(readWebhook),
  route(putWebhook),
  route(rotateWebhook),
  route(disableWebhook),
  route(enableWebhook),
  route(deleteWebhook),
  route(listEvents),
  route(readEvent),
  route(countEvents),
  route(sendTestEvent),
  route(resendEvent),
  route(retryEvent),
]
