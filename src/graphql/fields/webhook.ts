import { attemptAnswer } from '../../modules/webhook/attempt.ts'
import { deleteWebhook } from '../../modules/webhook/delete-webhook.ts'
import {
  deliveryAnswer,
  deliveryPauseAnswer,
  emptyDelivery,
  planChangeDeliveryAnswer,
} from '../../modules/webhook/delivery.ts'
import { eventAnswer, eventCountsAnswer, eventWithAttemptsAnswer } from '../../modules/webhook/event.ts'
import { putWebhook } from '../../modules/webhook/put-webhook.ts'
import { loadDeliveries, readDelivery } from '../../modules/webhook/read-delivery.ts'
import { listEvents, readEvent } from '../../modules/webhook/read-events.ts'
import { resentAnswer } from '../../modules/webhook/resend-events.ts'
import { webhookAnswer, webhookPauseAnswer, webhookWithSecretAnswer } from '../../modules/webhook/webhook.ts'
import { builder } from '../builder.ts'
import { answerFields, defineType, descriptionOf, registerType } from '../output-type.ts'
import { adjustRootField, markNestedOnly } from '../root-fields.ts'
import { SubscriberType } from './subscribers.ts'

const WebhookType = builder.prismaObject('WebhookEndpoint', {
  name: 'Webhook',
  description: webhookAnswer.description,
  fields: (t) => ({ ...answerFields(t, webhookAnswer), ...answerFields(t, webhookPauseAnswer) }),
})

registerType(WebhookType, webhookAnswer)

const WebhookAttemptType = builder.prismaObject('WebhookAttempt', {
  description: attemptAnswer.description,
  fields: (t) => answerFields(t, attemptAnswer),
})

const WebhookEventType = builder.prismaObject('WebhookEvent', {
  description: eventAnswer.description,
  fields: (t) => ({
    ...answerFields(t, eventAnswer, { except: ['attempts'] }),
    body: t.exposeString('body', { description: 'The bytes that are signed and sent, as text.' }),
    attempts: t.relation('attemptsMade', {
      type: WebhookAttemptType,
      description: 'The attempts made, oldest first.',
      query: { orderBy: { number: 'asc' } },
    }),
  }),
})

registerType(WebhookEventType, eventAnswer, eventWithAttemptsAnswer)

defineType(eventCountsAnswer)

defineType(resentAnswer)

const PlanChangeDeliveryType = defineType(planChangeDeliveryAnswer, {
  fields: (t) => answerFields(t, deliveryPauseAnswer),
})

const DeliveryType = defineType(deliveryAnswer, {
  except: ['plan_change'],
  fields: (t) => ({
    ...answerFields(t, deliveryPauseAnswer),
    planChange: t.field({
      type: PlanChangeDeliveryType,
      nullable: true,
      description: descriptionOf(deliveryAnswer, 'plan_change'),
      resolve: ({ planChange }) => planChange,
    }),
  }),
})

markNestedOnly(readDelivery)

builder.prismaObjectFields(SubscriberType, (t) => ({
  delivery: t.field({
    type: DeliveryType,
    labels: readDelivery.labels,
    description: readDelivery.summary,
    resolve: async ({ id }, _args, context, info) => (await context.nested(info, id, loadDeliveries)) ?? emptyDelivery,
  }),
}))

adjustRootField(listEvents, { directArgs: ['state'], readsRelations: true })

adjustRootField(readEvent, { readsRelations: true })

defineType(webhookWithSecretAnswer, {
  except: [...webhookWithSecretAnswer.fields.keys()],
  fields: (t) => ({
    webhook: t.field({ type: WebhookType, description: 'The webhook.', resolve: (webhook) => webhook }),
    secret: t.exposeString('newSecret', {
      nullable: true,
      description: 'The secret with which receivers verify signatures; shown only once.',
    }),
  }),
})

adjustRootField(putWebhook, { note: 'A new webhook gets a secret; a change of url keeps it.' })

adjustRootField(deleteWebhook, { note: "Returns the organization's id." })
