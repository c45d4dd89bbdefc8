import { notFound } from '../../core/errors.ts'
import { keyPattern } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { assertUnchanged, expectedUpdatedAt } from '../../operation/expected.ts'
import { defineWrite } from '../../operation/operation.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'
import { lockOverride, overrideStale, toStoredOverride } from './override.ts'
import { judgeChange } from './override-in-force.ts'

export const deleteOverride = defineWrite({
  name: 'deleteOverride',
  summary: "Delete an override: the plan's grant applies again.",
  method: 'DELETE',
  route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
  service: 'api',
  labels: ['overrides:write'],
  status: 204,
  input: defineInput(
    { expected_updated_at: expectedUpdatedAt('override') },
    { unknown: 'ignore', noun: 'query parameter' },
  ),
  answer: null,
  refusals: ['CONFLICT'],
  async run({ tx, organizationId, path, input }) {
    const { id: subscriberId } = await lockSubscriber(tx, organizationId, path.subscriber_id)
    const featureKey = path.feature_key
    const place = { organizationId, subscriberId, featureKey }
    if (!keyPattern.test(featureKey)) throw notFound('override', featureKey)

    const { lockedAt } = await lockOverride(tx, place)
    const where = { organizationId_subscriberId_featureKey: place }
    const override = await tx.override.findUnique({ where })
    if (!override) throw notFound('override', featureKey)
    assertUnchanged('override', override, input.expected_updated_at)

    await tx.override.delete({ where })
    const { isEvent } = judgeChange(toStoredOverride(override), null, lockedAt)
    return { result: featureKey, details: null, events: isEvent ? [overrideStale(place, lockedAt)] : [] }
  },
})
