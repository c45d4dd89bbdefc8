import { noInput } from '../../core/input.ts'
import { defineRead } from '../../operation/operation.ts'
import { loadWebhook, type Webhook, webhookAnswer } from './webhook.ts'

export const readWebhook = defineRead({
  name: 'webhook',
  summary: 'Read the webhook.',
  route: '/org/webhook',
  service: 'api',
  labels: ['webhooks:read'],
  input: noInput,
  answer: webhookAnswer,
  refusals: ['NOT_FOUND'],
  async run({ db, organizationId }): Promise<Webhook> {
    return loadWebhook(db, organizationId)
  },
})
