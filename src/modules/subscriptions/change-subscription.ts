import { conflict } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'
import {
  assertActive,
  cancel,
  expectedSubscription,
  findActive,
  lockPlanInUse,
  planArchived,
  snapshotStale,
  subscribeFields,
  subscriptionAnswer,
} from './subscription.ts'

/** Cancels the active subscription and creates another; also on the same plan. */
export const changeSubscription = defineWrite({
  name: 'changeSubscription',
  summary: 'Cancel the active subscription and create one to another plan.',
  method: 'POST',
  route: '/org/subscribers/{subscriber_id}/subscriptions/change',
  service: 'api',
  labels: ['subscribers:write'],
  status: 200,
  input: defineInput({ ...subscribeFields, ...expectedSubscription }, { unknown: 'ignore' }),
  answer: subscriptionAnswer,
  refusals: ['CONFLICT', planArchived],
  async run({ tx, now, organizationId, memberId, path, input }) {
    const { id: subscriberId } = await lockSubscriber(tx, organizationId, path.subscriber_id)
    const plan = await lockPlanInUse(tx, organizationId, input.plan_id)
    const active = await findActive(tx, organizationId, subscriberId)
    assertActive(active, input.expected_subscription_id)
    if (!active) {
      throw conflict(
        { field: 'subscription', value: null },
        `Subscriber "${subscriberId}" has no active subscription to change. Create one.`,
      )
    }
    await cancel(tx, active, now)
    const subscription = await tx.subscription.create({
      data: { organizationId, id: newId(), subscriberId, planKey: plan.key, createdAt: now, createdBy: memberId },
    })
    return {
      result: subscription,
      createdId: subscription.id,
      details: {
        subscription_id: subscription.id,
        canceled_subscription_id: active.id,
        ...describeChanges({ plan_id: active.planKey }, { plan_id: subscription.planKey }),
      },
      // One event, also if the plan is the same: not one of a cancel and one of a create.
      events: [snapshotStale(subscription, now)],
    }
  },
})
