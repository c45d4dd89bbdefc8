import { startOverrides, toStoredRow } from '../../database/current-override.ts'
import { insertRow, overrideTable, updateRow } from '../../database/table.ts'
import { defineFastWrite } from '../../operation/operation.ts'
import { lockFeature } from '../features/feature.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'
import { lockOverride, overrideAnswer, overrideEvents } from './override.ts'
import { judgePut, toRecorded } from './override-change.ts'
import { overrideInput } from './override-input.ts'

export const putOverride = defineFastWrite({
  name: 'putOverride',
  summary: 'Create or replace the override of a subscriber for one feature.',
  method: 'PUT',
  route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
  service: 'api',
  labels: ['overrides:write'],
  status: 200,
  input: overrideInput,
  answer: overrideAnswer,
  refusals: ['CONFLICT'],
  hold: (sql, { organizationId, path: { subscriber_id: subscriberId, feature_key: featureKey } }) => [
    lockSubscriber(sql, organizationId, subscriberId),
    // A shared lock, so that neither the feature nor an option is removed while the override refers to it.
    lockFeature(sql, organizationId, featureKey, 'share'),
    lockOverride(sql, { organizationId, subscriberId, featureKey }),
  ],
  decide([subscriber, feature, held], { memberId, input, limits }) {
    const judged = judgePut({ feature, subscriber, held, input, memberId, limits })
    const { override, changes, isWritten, isEvent, movesEnd, due } = judged
    if (!isWritten) return { result: override, details: null }
    const ledTo = {
      events: overrideEvents(override, { features: isEvent ? [feature.key] : [], movesEnd }, held.lockedAt),
      jobs: due.map((startAfter) => ({ queue: 'override.expire' as const, startAfter })),
    }
    const row = toStoredRow(override)
    if (changes) {
      const started = startOverrides(held.override?.isStartDue ? [held.override] : [])
      return { result: override, details: changes, writes: [...started, updateRow(overrideTable, row)], ...ledTo }
    }
    const details = { override_id: override.id, ...toRecorded(override) }
    return { result: override, createdId: override.id, details, writes: [insertRow(overrideTable, row)], ...ledTo }
  },
})
