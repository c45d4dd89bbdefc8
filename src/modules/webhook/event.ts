import { defineAnswer, pageOf } from '../../core/answer.ts'
import { countField, idField, textField, timeField } from '../../core/answer-fields.ts'
import { notFound } from '../../core/errors.ts'
import { namedEnum } from '../../core/field-type.ts'
import { isUlid } from '../../core/ids.ts'
import type { WebhookEvent as EventRow } from '../../database/generated/client.ts'
import { WebhookEventState } from '../../database/generated/enums.ts'

/** An event in the queue or after it; its place in the queue is for workers only. */
export type WebhookEvent = Omit<EventRow, 'sequence'>

/*
 * | From              | Trigger                                       | To                               |
 * | queued            | a 2xx                                         | delivered                        |
 * | queued            | a failed attempt, more are left               | queued, due after the next wait  |
 * | queued            | a failed attempt, the last one or the only    | failed                           |
 * | delivered, failed | resend                                        | queued, for one attempt          |
 */

export const eventStates = Object.values(WebhookEventState)

export function eventState() {
  return namedEnum(
    'WebhookEventState',
    eventStates,
    'QUEUED waits for an attempt, DELIVERED was acknowledged, FAILED was given up.',
  )
}

/** How an event stands, not what it says. The GraphQL type has the attempts themselves. */
export const eventAnswer = defineAnswer<WebhookEvent>(
  'WebhookEvent',
  "Something that makes receivers' caches stale, and how its delivery stands.",
  {
    id: idField().describe('The id of the event.'),
    type: textField(1, 64).describe('entitlements.stale, plan.grants.updated or webhook.test.'),
    state: eventState().describe('How its delivery stands.'),
    attempts: countField().describe('How many were made.'),
    occurred_at: timeField().describe('When it happened.'),
    due_at: timeField().nullable().describe('Of the next attempt; null once finished.'),
    finished_at: timeField().nullable().describe('When it was delivered or given up.'),
  },
)

export const eventsAnswer = pageOf('events', eventAnswer)

export type EventCounts = { queued: number; retrying: number; failed: number }

export const eventCountsAnswer = defineAnswer<EventCounts>('WebhookEventCounts', 'How deliveries stand, in numbers.', {
  queued: countField().describe('Waiting for an attempt.'),
  retrying: countField().describe('Those of the queued ones whose last attempt failed.'),
  failed: countField().describe('Given up.'),
})

export function eventNotFound(id: string) {
  return notFound('event', id)
}

export function isEventId(id: string): boolean {
  return isUlid(id)
}
