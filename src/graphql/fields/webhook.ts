import { deleteWebhook } from '../../modules/webhook/delete-webhook.ts'
import { type EventCounts, eventStates, type WebhookEvent } from '../../modules/webhook/event.ts'
import { disableWebhook, enableWebhook } from '../../modules/webhook/pause-webhook.ts'
import { putWebhook } from '../../modules/webhook/put-webhook.ts'
import { countEvents, listEvents, loadAttempts } from '../../modules/webhook/read-events.ts'
import { readWebhook } from '../../modules/webhook/read-webhook.ts'
import { resendEvent } from '../../modules/webhook/resend-event.ts'
import { rotateWebhook } from '../../modules/webhook/rotate-webhook.ts'
import { sendTestEvent } from '../../modules/webhook/send-test-event.ts'
import { exhaustedEventsToPause, type WebhookWithSecret } from '../../modules/webhook/webhook.ts'
import { builder, defineEnum } from '../builder.ts'
import { argsOf, withoutNulls } from '../input-type.ts'
import { defineMutation } from '../mutation.ts'
import { defineConnection, pageArgs, pageComplexity, toConnection } from '../page.ts'

const WebhookType = builder.prismaObject('WebhookEndpoint', {
  name: 'Webhook',
  description: 'Where events go: one address for the organization.',
  fields: (t) => ({
    url: t.exposeString('url'),
    secretPrefix: t.exposeString('secretPrefix', { description: 'The first 12 characters of the secret.' }),
    disabled: t.exposeBoolean('disabled', { description: 'Deliveries are paused; events are still queued.' }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    disabledByFailures: t.boolean({
      description: `Paused because ${exhaustedEventsToPause} events in a row ran out of attempts, not by hand.`,
      resolve: ({ disabled, exhaustedInARow }) => disabled && exhaustedInARow >= exhaustedEventsToPause,
    }),
    exhaustedInARow: t.exposeInt('exhaustedInARow', {
      description: `Events in a row that ran out of attempts; at ${exhaustedEventsToPause} deliveries are paused.`,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

const WebhookEventStateEnum = defineEnum(
  'WebhookEventState',
  eventStates,
  'QUEUED waits for an attempt, DELIVERED was acknowledged, FAILED was given up.',
)

const WebhookAttemptType = builder.prismaObject('WebhookAttempt', {
  description: 'One try to bring an event to the receiver.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'From 1.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    durationMs: t.exposeInt('durationMs'),
    status: t.exposeInt('status', { nullable: true, description: "Of the receiver's answer." }),
    error: t.exposeString('error', { nullable: true, description: 'Why it failed; null when it was acknowledged.' }),
    answer: t.exposeString('answer', { nullable: true, description: 'The beginning of what the receiver answered.' }),
  }),
})

const WebhookEventType = builder.prismaObject('WebhookEvent', {
  description: "Something that makes receivers' caches stale, and how its delivery stands.",
  fields: (t) => ({
    id: t.exposeID('id'),
    type: t.exposeString('type'),
    body: t.exposeString('body', { description: 'The bytes that are signed and sent, as text.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
    state: t.field({ type: WebhookEventStateEnum, resolve: ({ state }) => state }),
    attempts: t.field({
      type: [WebhookAttemptType],
      description: 'Those that were made, oldest first.',
      resolve: async ({ id }, _args, context, info) => (await context.nested(info, id, loadAttempts)) ?? [],
    }),
    dueAt: t.expose('dueAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Of the next attempt; null once finished.',
    }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
  }),
})

const WebhookEventConnection = defineConnection<WebhookEvent>('WebhookEvent', WebhookEventType)

const WebhookEventCounts = builder.objectRef<EventCounts>('WebhookEventCounts').implement({
  description: 'How deliveries stand, in numbers.',
  fields: (t) => ({
    queued: t.exposeInt('queued', { description: 'Waiting for an attempt.' }),
    retrying: t.exposeInt('retrying', { description: 'Of those that are queued, the ones whose last attempt failed.' }),
    failed: t.exposeInt('failed', { description: 'Given up.' }),
  }),
})

builder.queryFields((t) => ({
  [readWebhook.name]: t.field({
    type: WebhookType,
    resolve: (_root, _args, context) => context.run(readWebhook),
  }),
  [listEvents.name]: t.field({
    type: WebhookEventConnection,
    description: 'Newest first.',
    args: { ...argsOf(listEvents.input.fields), ...pageArgs },
    complexity: pageComplexity,
    resolve: async (_root, args, context) => {
      const page = await context.run(listEvents, withoutNulls(args))
      return toConnection(page, args, ({ id }) => id)
    },
  }),
  [countEvents.name]: t.field({
    type: WebhookEventCounts,
    resolve: (_root, _args, context) => context.run(countEvents),
  }),
}))

const WebhookWithSecretType = builder.objectRef<WebhookWithSecret>('WebhookWithSecret').implement({
  description: 'The webhook, and its secret where that was just made.',
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
  description: 'A new webhook gets a secret. Replacing the url keeps the secret and resumes deliveries.',
})

defineMutation(rotateWebhook, {
  type: WebhookWithSecretType,
  description: 'Makes a new secret, in force at once, for retries of earlier events too.',
})

defineMutation(enableWebhook, {
  type: WebhookType,
  description: 'Resumes deliveries: everything queued is due at once, in its order.',
})

defineMutation(disableWebhook, {
  type: WebhookType,
  description: 'Pauses deliveries. Events are still queued.',
})

defineMutation(deleteWebhook, {
  type: 'ID',
  description: "Drops what is queued. Answers the organization's id.",
})

defineMutation(sendTestEvent, {
  type: WebhookEventType,
  description: 'Queues an event of the type webhook.test: one attempt, and no failure that counts towards a pause.',
})

defineMutation(resendEvent, {
  type: WebhookEventType,
  description: 'Sends a finished event once more, with its own id.',
})
