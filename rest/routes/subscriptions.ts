import { cancelSubscription } from '../../src/modules/subscriptions/cancel-subscription.ts'
import { changeSubscription } from '../../src/modules/subscriptions/change-subscription.ts'
import { createSubscription } from '../../src/modules/subscriptions/create-subscription.ts'
import { listSubscriptions } from '../../src/modules/subscriptions/read-subscriptions.ts'
import { route } from '../route.ts'

export const subscriptionRoutes = [
  route(createSubscription),
  route(listSubscriptions),
  route(changeSubscription),
  route(cancelSubscription),
]
