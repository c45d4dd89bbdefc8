import { conflict } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'
import {
  findActive,
  lockPlanInUse,
  planArchived,
  snapshotStale,
  subscribeFields,
  subscriptionAnswer,
} from './subscription.ts'

export const createSubscription = defineWrite({
  name: 'createSubscription',
  summary: 'Subscribe a subscriber to a plan.',
  method: 'POST',
  route: '/org/subscribers/{subscriber_id}/subscriptions',
  service: 'api',
  labels: ['subscribers:write'],
  status: 201,
  input: defineInput(subscribeFields, { unknown: 'ignore' }),
  answer: subscriptionAnswer,
  refusals: ['CONFLICT', planArchived],
  async run({ tx, now, organizationId, memberId, path, input }) {
    const { id: subscriberId } = await lockSubscriber(tx, organizationId, path.subscriber_id)
    const plan = await lockPlanInUse(tx, organizationId, input.plan_id)
    const active = await findActive(tx, organizationId, subscriberId)
    if (active) {
      throw conflict(
        { field: 'subscription', value: active.id },
        `Subscriber "${subscriberId}" has an active subscription to "${active.planKey}". Change or cancel that one.`,
      )
    }
    const subscription = await tx.subscription.create({
      data: { organizationId, id: newId(), subscriberId, planKey: plan.key, createdAt: now, createdBy: memberId },
    })
    return {
      result: subscription,
      createdId: subscription.id,
      details: { subscription_id: subscription.id, plan_id: subscription.planKey },
      events: [snapshotStale(subscription, now)],
    }
  },
})
