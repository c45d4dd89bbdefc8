import { z } from 'zod'
import { defineAnswer, listFrom, pageOf } from '../../core/answer.ts'
import { countField, idField, textField, timeField } from '../../core/answer-fields.ts'
import { conflict, notFound } from '../../core/errors.ts'
import { asScalar, namedEnum } from '../../core/field-type.ts'
import { isUlid } from '../../core/ids.ts'
import type { WebhookEvent as EventRow } from '../../database/generated/client.ts'
import type { WebhookEventState } from '../../database/generated/enums.ts'
import type { Transaction } from '../../database/transaction.ts'
import { eventBodies } from '../../events/event-body.ts'
import { attemptAnswer, type WebhookAttempt } from './attempt.ts'
import { loadWebhook } from './webhook.ts'

/** An event, queued or finished, without its position in the queue, which only workers need. */
export type WebhookEvent = Omit<EventRow, 'sequence'>

/*
 * | From              | Trigger                                       | To                               |
 * | queued            | a 2xx                                         | delivered                        |
 * | queued            | a failed attempt, with attempts left          | queued, due after the next wait  |
 * | queued            | a failed attempt, without attempts left       | failed                           |
 * | queued            | retry                                         | queued, due now                  |
 * | delivered, failed | resend                                        | queued, for one attempt          |
 */

export function eventState() {
  return namedEnum(
    'WebhookEventState',
    {
      queued: 'The event waits for an attempt.',
      delivered: 'The receiver acknowledged the event.',
      failed: 'The event ran out of attempts.',
    } satisfies Record<WebhookEventState, string>,
    'The state of the delivery of an event.',
  )
}

const eventTypes = [...eventBodies.keys()]

/** "entitlements.stale, plan.grants.updated or webhook.test" */
export const eventTypeList = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(eventTypes)

/** A string in GraphQL, because the values of GraphQL enums cannot contain dots. */
export function eventType() {
  return asScalar('String', z.enum(eventTypes))
}

const eventFields = {
  id: idField().describe('The id of the event.'),
  type: eventType().describe(`The type of the event: ${eventTypeList}.`),
  state: eventState().describe('The state of its delivery.'),
  attempts: countField().describe('The number of attempts made.'),
  occurred_at: timeField().describe('When it happened.'),
  due_at: timeField().nullable().describe('When the next attempt is due; null once finished.'),
  finished_at: timeField().nullable().describe('When it was delivered or failed.'),
}

/** The state of an event's delivery, without its body. The GraphQL type adds the attempts. */
export const eventAnswer = defineAnswer<WebhookEvent>(
  'WebhookEvent',
  "A change that makes receivers' caches stale, and the state of its delivery.",
  eventFields,
)

export const eventsAnswer = pageOf('events', eventAnswer)

/**
 * The maximum length of a body: an import's line with very many overrides has a single event, which names all their features.
 */
const maxBodyLength = 1_048_576

/** An event with its body and all attempts. */
export type WebhookEventWithAttempts = WebhookEvent & { attemptsMade: WebhookAttempt[] }

export const eventWithAttemptsAnswer = defineAnswer<WebhookEventWithAttempts>(
  'WebhookEventWithAttempts',
  'An event, what was sent, and every attempt to send it.',
  {
    ...eventFields,
    body: textField(2, maxBodyLength).describe('The bytes that are signed and sent, as text.'),
    attempts_made: listFrom('attemptsMade', attemptAnswer, 'The attempts made, oldest first.'),
  },
)

/**
 * Locks the event until the transaction ends. Throws 404 if there is no webhook, or if the id is unknown or malformed. Locks
 * the endpoint first, like every write that queues events: a deletion of the endpoint then waits, and deletes this event too.
 */
export async function lockEvent(tx: Transaction, organizationId: string, id: string): Promise<WebhookEvent> {
  await tx.$queryRaw`select 1 from webhook_endpoint where organization_id = ${organizationId} for key share`
  await loadWebhook(tx, organizationId)
  if (!isUlid(id)) throw eventNotFound(id)
  await tx.$queryRaw`select 1 from webhook_event where organization_id = ${organizationId} and event_id = ${id} for update`
  const event = await tx.webhookEvent.findUnique({ where: { organizationId_id: { organizationId, id } } })
  if (!event) throw eventNotFound(id)
  return event
}

/** The maximum number of an organization's unsent tests, which are sent a few at a time. */
const maxTests = 20

/** Throws 409 if the organization already has the maximum number of unsent tests. Waits for other requests that send a test. */
export async function assertMayTest(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('webhook tests ' || ${organizationId}, 0))`
  const [{ tests } = { tests: 0 }] = await tx.$queryRaw<{ tests: number }[]>`
    select count(*)::int as tests
      from (select from webhook_event
             where organization_id = ${organizationId} and state = 'queued' and type = 'webhook.test'
             limit ${maxTests}) waiting`
  if (tests < maxTests) return
  throw conflict(
    { field: 'tests', value: maxTests },
    `${maxTests} tests have not been sent yet. Wait until they have been sent.`,
  )
}

export type EventCounts = { queued: number; retrying: number; failed: number }

export const eventCountsAnswer = defineAnswer<EventCounts>(
  'WebhookEventCounts',
  'The number of events in each state.',
  {
    queued: countField().describe('The number of events that wait for an attempt.'),
    retrying: countField().describe('The number of queued events whose last attempt failed.'),
    failed: countField().describe('The number of events that ran out of attempts.'),
  },
)

export function eventNotFound(id: string) {
  return notFound('event', id)
}
