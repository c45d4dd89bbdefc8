import { defineAnswer, fieldFrom } from '../../core/answer.ts'
import { idField, timeField } from '../../core/answer-fields.ts'
import { namedEnum } from '../../core/field-type.ts'

const states = {
  none: 'There is no webhook, or no event about the subscriber is kept.',
  queued: 'The event waits for its first attempt.',
  retrying: 'The event waits for another attempt.',
  paused: 'The event waits until deliveries are resumed.',
  delivered: 'The receiver acknowledged the event.',
  failed: 'The event ran out of attempts.',
}

export type NewestDelivery = {
  state: keyof typeof states
  eventId: string | null
  occurredAt: Date | null
  deliveredAt: Date | null
  nextAttemptAt: Date | null
  pausedAt: Date | null
}

/** The delivery of the newest event about a subscriber, and of the newest change of its plan's grants. */
export type Delivery = NewestDelivery & { planChange: NewestDelivery | null }

const state = namedEnum(
  'DeliveryState',
  states,
  'Whether the receiver acknowledged the newest event about a subscriber.',
)

const eventFields = {
  event_id: idField().nullable().describe('The id of the event.'),
  occurred_at: timeField().nullable().describe('When it happened.'),
  delivered_at: timeField().nullable().describe('When the receiver acknowledged the event.'),
  next_attempt_at: timeField().nullable().describe('When the next attempt is due; null while deliveries are paused.'),
}

export const planChangeDeliveryAnswer = defineAnswer<NewestDelivery>(
  'PlanChangeDelivery',
  "Whether the receiver acknowledged the newest change of a plan's grants.",
  { state: state.describe('The state of the event about the plan.'), ...eventFields },
)

export const deliveryAnswer = defineAnswer<Delivery>(
  'Delivery',
  'Whether the receiver acknowledged the newest event about a subscriber.',
  {
    state: state.describe('The state of the newest event about the subscriber; none without a webhook or an event.'),
    ...eventFields,
    plan_change: fieldFrom(
      ({ planChange }: Delivery) => planChange && planChangeDeliveryAnswer.toBody(planChange),
      planChangeDeliveryAnswer.schema
        .optional()
        .describe(
          "The delivery of the newest change to the grants of the subscriber's plan since the subscriber got it; absent if there is none.",
        ),
    ),
  },
)

/** Only in GraphQL. */
export const deliveryPauseAnswer = defineAnswer<NewestDelivery>('DeliveryPause', 'When deliveries were paused.', {
  paused_at: timeField().nullable().describe('When deliveries were paused, if the event waits for them to resume.'),
})

export const noNewestDelivery: NewestDelivery = {
  state: 'none',
  eventId: null,
  occurredAt: null,
  deliveredAt: null,
  nextAttemptAt: null,
  pausedAt: null,
}

export const emptyDelivery: Delivery = { ...noNewestDelivery, planChange: null }
