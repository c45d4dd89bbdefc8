import { queryFromInfo } from '@pothos/plugin-prisma'
import { builder, defineEnum } from '../../graphql/builder.ts'
import {
  defineConnection,
  inNamesOfPage,
  nodePaths,
  pageArgs,
  pageComplexity,
  toConnection,
  toPageInput,
} from '../../graphql/page.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { eventStates, type WebhookEvent } from './event.ts'
import { disableWebhook, enableWebhook } from './pause-webhook.ts'
import { putWebhook, type WebhookWithSecret } from './put-webhook.ts'
import { countEvents, type EventCounts, listEvents } from './read-events.ts'
import { readWebhook } from './read-webhook.ts'
import { resendEvent } from './resend-event.ts'
import { rotateWebhook } from './rotate-webhook.ts'
import { sendTestEvent } from './send-test-event.ts'
import { exhaustedEventsToPause } from './webhook.ts'

// Where the rows are answered, `as never`: the type that Pothos knows has every column, and the secret is never read.
const WebhookType = builder.prismaObject('WebhookEndpoint', {
  name: 'Webhook',
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

const WebhookEventStateEnum = defineEnum('WebhookEventState', eventStates)

const WebhookAttemptType = builder.prismaObject('WebhookAttempt', {
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
  fields: (t) => ({
    id: t.exposeID('id'),
    type: t.exposeString('type'),
    body: t.exposeString('body', { description: 'The bytes that are signed and sent, as text.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime' }),
    state: t.field({ type: WebhookEventStateEnum, resolve: ({ state }) => state }),
    attempts: t.relation('attemptsMade', {
      type: WebhookAttemptType,
      description: 'In the order that they were made.',
      query: { orderBy: { number: 'asc' } },
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
  fields: (t) => ({
    queued: t.exposeInt('queued', { description: 'Waiting for an attempt.' }),
    retrying: t.exposeInt('retrying', { description: 'Of those that are queued, the ones whose last attempt failed.' }),
    failed: t.exposeInt('failed', { description: 'Given up.' }),
  }),
})

builder.queryFields((t) => ({
  [readWebhook.name]: t.prismaField({
    type: 'WebhookEndpoint',
    resolve: (selection, _root, _args, context) => context.read(readWebhook, {}, {}, selection) as never,
  }),
  [listEvents.name]: t.field({
    type: WebhookEventConnection,
    description: 'Newest first.',
    args: { ...pageArgs(t.arg), state: t.arg({ type: WebhookEventStateEnum }) },
    complexity: pageComplexity,
    resolve: async (_root, { state, ...args }, context, info) => {
      const selection = queryFromInfo({ context, info, typeName: 'WebhookEvent', paths: nodePaths })
      const input = { ...toPageInput(args), ...(state && { state }) }
      const page = await inNamesOfPage(context.read(listEvents, {}, input, selection))
      return toConnection(page, args, ({ id }) => id)
    },
  }),
  [countEvents.name]: t.field({
    type: WebhookEventCounts,
    resolve: (_root, _args, context) => context.read(countEvents, {}),
  }),
}))

const WebhookWithSecretType = builder.objectRef<WebhookWithSecret>('WebhookWithSecret').implement({
  fields: (t) => ({
    webhook: t.field({ type: WebhookType, resolve: ({ webhook }) => webhook as never }),
    secret: t.exposeString('secret', {
      nullable: true,
      description: 'Shown once, where it was just made: receivers verify signatures with it.',
    }),
  }),
})

const PutWebhookInput = builder.inputType('PutWebhookInput', {
  fields: (t) => ({ url: t.string({ required: true, description: 'http or https, without credentials.' }) }),
})

const ResendEventInput = builder.inputType('ResendEventInput', {
  fields: (t) => ({ eventId: t.string({ required: true }) }),
})

builder.mutationFields((t) => ({
  [putWebhook.name]: t.field({
    type: WebhookWithSecretType,
    description: 'A new one has a secret; replacing the url keeps it, and resumes deliveries.',
    args: { input: t.arg({ type: PutWebhookInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(putWebhook, input),
  }),
  [rotateWebhook.name]: t.field({
    type: WebhookWithSecretType,
    description: 'In force at once, for retries of earlier events too.',
    resolve: (_root, _args, context) => context.write(rotateWebhook, {}),
  }),
  [enableWebhook.name]: t.field({
    type: WebhookType,
    resolve: (_root, _args, context) => context.write(enableWebhook, {}) as never,
  }),
  [disableWebhook.name]: t.field({
    type: WebhookType,
    resolve: (_root, _args, context) => context.write(disableWebhook, {}) as never,
  }),
  [deleteWebhook.name]: t.id({
    description: "Answers the organization's id.",
    resolve: (_root, _args, context) => context.write(deleteWebhook, {}),
  }),
  [sendTestEvent.name]: t.field({
    type: WebhookEventType,
    description: 'One attempt, outside the count of events that pauses deliveries.',
    resolve: (_root, _args, context) => context.write(sendTestEvent, {}),
  }),
  [resendEvent.name]: t.field({
    type: WebhookEventType,
    description: 'A finished event once more, with its own id.',
    args: { input: t.arg({ type: ResendEventInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(resendEvent, input),
  }),
}))
