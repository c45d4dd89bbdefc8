import { conflict } from '../../core/errors.ts'
import { defineInput } from '../../core/input.ts'
import { insertRow, subscriptionTable, updateRow } from '../../database/table.ts'
import { defineFastWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'
import {
  assertActive,
  expectedSubscription,
  findActiveSubscription,
  lockPlanInUse,
  newSubscription,
  planArchived,
  subscribeFields,
  subscriptionAnswer,
  subscriptionEvent,
  toCanceledSubscription,
} from './subscription.ts'

/** Cancels the active subscription and creates another, even on the same plan. */
export const changeSubscription = defineFastWrite({
  name: 'changeSubscription',
  summary: 'Cancel the active subscription and create one to another plan.',
  method: 'POST',
  route: '/org/subscribers/{subscriber_id}/subscriptions/change',
  service: 'api',
  labels: ['subscribers:write'],
  status: 200,
  input: defineInput({ ...subscribeFields.input, ...expectedSubscription }, { unknown: 'ignore' }),
  answer: subscriptionAnswer,
  refusals: ['CONFLICT', planArchived],
  lockAndRead: (sql, { organizationId, path: { subscriber_id: subscriberId }, input }) => [
    lockSubscriber(sql, organizationId, subscriberId),
    lockPlanInUse(sql, organizationId, input.plan_id),
    findActiveSubscription(sql, { organizationId, subscriberId }),
  ],
  apply([{ id: subscriberId }, _planKey, { active, now }], { organizationId, memberId, input }) {
    assertActive(active, input.expected_subscription_id)
    if (!active) {
      throw conflict(
        { field: 'subscription', value: null },
        `Subscriber "${subscriberId}" has no active subscription to change. Create one.`,
      )
    }
    const subscription = newSubscription({ organizationId, subscriberId, input, createdAt: now, createdBy: memberId })
    return {
      result: subscription,
      createdId: subscription.id,
      details: {
        subscription_id: subscription.id,
        canceled_subscription_id: active.id,
        ...describeChanges(subscribeFields.toDetails(active), subscribeFields.toDetails(subscription)),
      },
      writes: [
        updateRow(subscriptionTable, toCanceledSubscription(active, now, memberId)),
        insertRow(subscriptionTable, subscription),
      ],
      // One event for the cancel and the create together, even if the plan is the same.
      events: [subscriptionEvent(subscription, now)],
    }
  },
})
