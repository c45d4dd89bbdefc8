import { conflict } from '../../core/errors.ts'
import { defineInput } from '../../core/input.ts'
import { insertRow, subscriptionTable } from '../../database/table.ts'
import { defineFastWrite } from '../../operation/operation.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'
import {
  findActiveSubscription,
  lockPlanInUse,
  newSubscription,
  planArchived,
  subscribeFields,
  subscriptionAnswer,
  subscriptionEvent,
} from './subscription.ts'

export const createSubscription = defineFastWrite({
  name: 'createSubscription',
  summary: 'Subscribe a subscriber to a plan.',
  method: 'POST',
  route: '/org/subscribers/{subscriber_id}/subscriptions',
  service: 'api',
  labels: ['subscribers:write'],
  status: 201,
  input: defineInput(subscribeFields.input, { unknown: 'ignore' }),
  answer: subscriptionAnswer,
  refusals: ['CONFLICT', planArchived],
  lockAndRead: (sql, { organizationId, path: { subscriber_id: subscriberId }, input }) => [
    lockSubscriber(sql, organizationId, subscriberId),
    lockPlanInUse(sql, organizationId, input.plan_id),
    findActiveSubscription(sql, { organizationId, subscriberId }),
  ],
  apply([{ id: subscriberId }, _planKey, { active, now }], { organizationId, memberId, input }) {
    if (active) {
      throw conflict(
        { field: 'subscription', value: active.id },
        `Subscriber "${subscriberId}" has an active subscription to "${active.planKey}". Change or cancel that one.`,
      )
    }
    const subscription = newSubscription({ organizationId, subscriberId, input, createdAt: now, createdBy: memberId })
    return {
      result: subscription,
      createdId: subscription.id,
      details: { subscription_id: subscription.id, ...subscribeFields.toDetails(subscription) },
      writes: [insertRow(subscriptionTable, subscription)],
      events: [subscriptionEvent(subscription, now)],
    }
  },
})
