import { notFound } from '../../core/errors.ts'
import { defineInput } from '../../core/input.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { startOverrides } from '../../database/current-override.ts'
import { assertUnchanged, expectedUpdatedAt } from '../../operation/expected-updated-at.ts'
import { defineFastWrite } from '../../operation/operation.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'
import { deleteStatement, lockOverride, overrideEvents, toStoredOverride } from './override.ts'
import { classifyChange } from './override-in-force.ts'

export const deleteOverride = defineFastWrite({
  name: 'deleteOverride',
  summary: "Delete an override: the plan's grant applies again.",
  method: 'DELETE',
  route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
  service: 'api',
  labels: ['overrides:write'],
  status: 204,
  input: defineInput(
    { expected_updated_at: expectedUpdatedAt('override') },
    { unknown: 'ignore', term: 'query parameter' },
  ),
  answer: null,
  refusals: ['CONFLICT'],
  lockAndRead: (sql, { organizationId, path: { subscriber_id: subscriberId, feature_key: featureKey } }) => [
    lockSubscriber(sql, organizationId, subscriberId),
    lockOverride(sql, { organizationId, subscriberId, featureKey }),
  ],
  apply([_subscriber, { override, lockedAt }], { memberId, path: { feature_key: featureKey }, input }) {
    if (!override) throw notFound('override', featureKey)
    assertUnchanged('override', override, input.expected_updated_at)
    const { isEvent, movesEnd } = classifyChange(toStoredOverride(override), null, lockedAt)
    return {
      result: featureKey,
      details: null,
      writes: [
        ...startOverrides(override.isStartDue ? [override] : []),
        deleteStatement(override, { at: nextUpdatedAt(override, lockedAt), by: memberId }),
      ],
      events: overrideEvents(override, { features: isEvent ? [featureKey] : [], movesEnd }, lockedAt),
    }
  },
})
