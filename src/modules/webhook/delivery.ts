import { defineAnswer } from '../../core/answer.ts'
import { idField, timeField } from '../../core/answer-fields.ts'
import { namedEnum } from '../../core/field-type.ts'

const states = ['none', 'queued', 'retrying', 'paused', 'delivered', 'failed'] as const

/** Whether the vendor's product heard of the newest event about a subscriber. */
export type Delivery = {
  state: (typeof states)[number]
  eventId: string | null
  occurredAt: Date | null
  deliveredAt: Date | null
  nextAttemptAt: Date | null
  pausedAt: Date | null
}

const state = namedEnum(
  'DeliveryState',
  states,
  'NONE: no webhook, or no event is kept. QUEUED waits for its first attempt, RETRYING for another one. PAUSED waits until deliveries are resumed. DELIVERED was acknowledged, FAILED ran out of attempts.',
)

export const deliveryAnswer = defineAnswer<Delivery>(
  'Delivery',
  'Whether the receiver heard of the newest event about a subscriber.',
  {
    state: state.describe('The state of the newest event about the subscriber; none without a webhook or an event.'),
    event_id: idField().nullable().describe('The id of the event.'),
    occurred_at: timeField().nullable().describe('When it happened.'),
    delivered_at: timeField().nullable().describe('When the receiver acknowledged it.'),
    next_attempt_at: timeField().nullable().describe('When the next attempt is due; null while deliveries are paused.'),
  },
)

/** Shown in GraphQL alone. */
export const deliveryPauseAnswer = defineAnswer<Delivery>('DeliveryPause', 'Since when it waits.', {
  paused_at: timeField().nullable().describe('Since when deliveries are paused, if it waits for that.'),
})

export const noDelivery: Delivery = {
  state: 'none',
  eventId: null,
  occurredAt: null,
  deliveredAt: null,
  nextAttemptAt: null,
  pausedAt: null,
}
