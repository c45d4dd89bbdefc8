import { conflict } from '../../core/errors.ts'
import { defineInput } from '../../core/input.ts'
import { subscriptionTable, updateRow } from '../../database/table.ts'
import { defineFastWrite } from '../../operation/operation.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'
import {
  assertActive,
  expectedSubscription,
  findActiveSubscription,
  findSubscription,
  subscriptionAnswer,
  subscriptionEvent,
  toCanceledSubscription,
} from './subscription.ts'

export const cancelSubscription = defineFastWrite({
  name: 'cancelSubscription',
  summary: 'Cancel the active subscription.',
  method: 'POST',
  route: '/org/subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel',
  service: 'api',
  labels: ['subscribers:write'],
  adds: false,
  status: 200,
  input: defineInput(expectedSubscription, { unknown: 'ignore' }),
  answer: subscriptionAnswer,
  refusals: ['CONFLICT'],
  lockAndRead: (sql, { organizationId, path: { subscriber_id: subscriberId, subscription_id: id } }) => [
    lockSubscriber(sql, organizationId, subscriberId),
    findSubscription(sql, { organizationId, subscriberId }, id),
    findActiveSubscription(sql, { organizationId, subscriberId }),
  ],
  apply([_subscriber, subscription, { active, now }], { memberId, input }) {
    if (input.expected_subscription_id !== undefined) assertActive(active, input.expected_subscription_id)
    if (subscription.status === 'canceled') {
      throw conflict({ field: 'status', value: 'canceled' }, `Subscription "${subscription.id}" is already canceled.`)
    }
    const canceled = toCanceledSubscription(subscription, now, memberId)
    return {
      result: canceled,
      details: { plan_id: canceled.planKey },
      writes: [updateRow(subscriptionTable, canceled)],
      events: [subscriptionEvent(canceled, now)],
    }
  },
})
