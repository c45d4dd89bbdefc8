import { conflict, notFound } from '../../core/errors.ts'
import { isUlid } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'
import {
  assertActive,
  cancel,
  expectedSubscription,
  findActive,
  snapshotStale,
  subscriptionAnswer,
} from './subscription.ts'

export const cancelSubscription = defineWrite({
  name: 'cancelSubscription',
  summary: 'Cancel the active subscription.',
  method: 'POST',
  route: '/org/subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel',
  service: 'api',
  labels: ['subscribers:write'],
  status: 200,
  input: defineInput(expectedSubscription, { unknown: 'ignore' }),
  answer: subscriptionAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, now, organizationId, path, input }) {
    const { id: subscriberId } = await lockSubscriber(tx, organizationId, path.subscriber_id)
    const id = path.subscription_id
    const subscription = isUlid(id)
      ? await tx.subscription.findFirst({ where: { organizationId, subscriberId, id } })
      : null
    if (!subscription) throw notFound('subscription', id)
    if (input.expected_subscription_id !== undefined) {
      assertActive(await findActive(tx, organizationId, subscriberId), input.expected_subscription_id)
    }
    if (subscription.status === 'canceled') {
      throw conflict({ field: 'status', value: 'canceled' }, `Subscription "${id}" is canceled already.`)
    }
    const canceled = await cancel(tx, subscription, now)
    return { result: canceled, details: { plan_id: canceled.planKey }, events: [snapshotStale(canceled, now)] }
  },
})
