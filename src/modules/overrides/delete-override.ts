import { notFound } from '../../core/errors.ts'
import { keyPattern, noInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'

export const deleteOverride = defineWrite({
  name: 'deleteOverride',
  method: 'DELETE',
  route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
  service: 'api',
  labels: ['overrides:write'],
  status: 204,
  input: noInput,
  async run({ tx, organizationId, path }) {
    const { id: subscriberId } = await lockSubscriber(tx, organizationId, path.subscriber_id)
    const featureKey = path.feature_key
    const { count } = keyPattern.test(featureKey)
      ? await tx.override.deleteMany({ where: { organizationId, subscriberId, featureKey } })
      : { count: 0 }
    if (count === 0) throw notFound('override', featureKey)
    return { result: featureKey, details: null }
  },
})
