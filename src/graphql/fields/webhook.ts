import { type Field, fieldsOf } from '../../core/field-type.ts'
import { attemptAnswer } from '../../modules/webhook/attempt.ts'
import { deleteWebhook } from '../../modules/webhook/delete-webhook.ts'
import { type EventCounts, eventAnswer, eventCountsAnswer, type WebhookEvent } from '../../modules/webhook/event.ts'
import { disableWebhook, enableWebhook } from '../../modules/webhook/pause-webhook.ts'
import { putWebhook } from '../../modules/webhook/put-webhook.ts'
import {
  countEvents,
  eventFilterShape,
  listEvents,
  loadAttempts,
  readEvent,
} from '../../modules/webhook/read-events.ts'
import { readWebhook } from '../../modules/webhook/read-webhook.ts'
import { resendEvent } from '../../modules/webhook/resend-event.ts'
import { retryEvent } from '../../modules/webhook/retry-event.ts'
import { rotateWebhook } from '../../modules/webhook/rotate-webhook.ts'
import { sendTestEvent } from '../../modules/webhook/send-test-event.ts'
import {
  type WebhookWithSecret,
  webhookAnswer,
  webhookPauseAnswer,
  webhookWithSecretAnswer,
} from '../../modules/webhook/webhook.ts'
import { builder } from '../builder.ts'
import { argsOf, defineInputType, withoutNulls } from '../input-type.ts'
import { defineMutation } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { defineConnection, pageArgs, pageComplexity, toConnection } from '../page.ts'

const WebhookType = builder.prismaObject('WebhookEndpoint', {
  name: 'Webhook',
  description: webhookAnswer.description,
  fields: (t) => ({ ...answerFields(t, webhookAnswer), ...answerFields(t, webhookPauseAnswer) }),
})

const WebhookAttemptType = builder.prismaObject('WebhookAttempt', {
  description: attemptAnswer.description,
  fields: (t) => answerFields(t, attemptAnswer),
})

const WebhookEventType = builder.prismaObject('WebhookEvent', {
  description: eventAnswer.description,
  fields: (t) => ({
    ...answerFields(t, eventAnswer, { except: ['attempts'] }),
    body: t.exposeString('body', { description: 'The bytes that are signed and sent, as text.' }),
    attempts: t.field({
      type: [WebhookAttemptType],
      description: 'The attempts made, oldest first.',
      resolve: async ({ id }, _args, context, info) => (await context.nested(info, id, loadAttempts)) ?? [],
    }),
  }),
})

const WebhookEventConnection = defineConnection<WebhookEvent>('WebhookEvent', WebhookEventType)

const WebhookEventCounts = builder.objectRef<EventCounts>('WebhookEventCounts').implement({
  description: eventCountsAnswer.description,
  fields: (t) => answerFields(t, eventCountsAnswer),
})

const WebhookEventFilterInput = defineInputType('WebhookEventFilter', fieldsOf(eventFilterShape), {
  description: 'All combined with AND.',
})

builder.queryFields((t) => ({
  [readWebhook.name]: t.field({
    type: WebhookType,
    description: readWebhook.summary,
    resolve: (_root, _args, context) => context.run(readWebhook),
  }),
  [listEvents.name]: t.field({
    type: WebhookEventConnection,
    description: listEvents.summary,
    args: builder.args((t) => ({
      ...argsOf(new Map([['state', listEvents.input.fields.get('state') as Field]])),
      filter: t.field({ type: WebhookEventFilterInput }),
      ...pageArgs,
    })),
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...args }, context) => {
      const page = await context.run(listEvents, withoutNulls({ ...(filter ?? {}), ...args }))
      return toConnection(page, args, ({ id }) => id)
    },
  }),
  [readEvent.name]: t.field({
    type: WebhookEventType,
    description: readEvent.summary,
    args: { eventId: t.arg.id({ required: true }) },
    resolve: (_root, { eventId }, context) => context.run(readEvent, { eventId }),
  }),
  [countEvents.name]: t.field({
    type: WebhookEventCounts,
    description: countEvents.summary,
    resolve: (_root, _args, context) => context.run(countEvents),
  }),
}))

const WebhookWithSecretType = builder.objectRef<WebhookWithSecret>('WebhookWithSecret').implement({
  description: webhookWithSecretAnswer.description,
  fields: (t) => ({
    webhook: t.field({ type: WebhookType, resolve: (webhook) => webhook }),
    secret: t.exposeString('newSecret', {
      nullable: true,
      description: 'Shown once: receivers verify signatures with it.',
    }),
  }),
})

defineMutation(putWebhook, {
  type: WebhookWithSecretType,
  note: 'A new webhook gets a secret; another url keeps it.',
})

defineMutation(rotateWebhook, {
  type: WebhookWithSecretType,
})

defineMutation(enableWebhook, {
  type: WebhookType,
})

defineMutation(disableWebhook, {
  type: WebhookType,
})

defineMutation(deleteWebhook, {
  type: 'ID',
  note: "Answers the organization's id.",
})

defineMutation(sendTestEvent, {
  type: WebhookEventType,
})

defineMutation(resendEvent, {
  type: WebhookEventType,
})

defineMutation(retryEvent, {
  type: WebhookEventType,
})
