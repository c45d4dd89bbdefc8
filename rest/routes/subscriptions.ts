import { cancelSubscription } from '../../src/modules/subscriptions/cancel-subscription.ts'
import { changeSubscription } from '../../src/modules/subscriptions/change-subscription.ts'
import { createSubscription } from '../../src/modules/subscriptions/create-subscription.ts'
import { listSubscriptions } from '../../src/modules/subscriptions/read-subscriptions.ts'
import type { Subscription } from '../../src/modules/subscriptions/subscription.ts'
import { pageParameters } from '../query.ts'
import { route } from '../route.ts'

export const subscriptionRoutes = [
  route(createSubscription, { reply: subscriptionBody }),
  route(listSubscriptions, {
    query: pageParameters,
    reply: ({ items, hasMore }) => ({ subscriptions: items.map(subscriptionBody), has_more: hasMore }),
  }),
  route(changeSubscription, { reply: subscriptionBody }),
  route(cancelSubscription, { reply: subscriptionBody }),
]

function subscriptionBody({ id, subscriberId, planKey, status, createdAt, canceledAt }: Subscription) {
  return {
    id,
    subscriber_id: subscriberId,
    plan_id: planKey,
    status,
    created_at: createdAt,
    canceled_at: canceledAt,
  }
}
