import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { subscriberTable, updateRow } from '../../database/table.ts'
import { assertUnchanged, expectedUpdatedAt } from '../../operation/expected-updated-at.ts'
import { defineFastWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { lockSubscriber, type Subscriber, subscriberAnswer, subscriberFields } from './subscriber.ts'

export const updateSubscriber = defineFastWrite({
  name: 'updateSubscriber',
  summary: 'Rename a subscriber.',
  method: 'PATCH',
  route: '/org/subscribers/{subscriber_id}',
  service: 'api',
  labels: ['subscribers:write'],
  status: 200,
  input: defineInput(
    { ...subscriberFields.input, expected_updated_at: expectedUpdatedAt('subscriber') },
    { unknown: 'ignore' },
  ),
  answer: subscriberAnswer,
  refusals: ['CONFLICT'],
  lockAndRead: (sql, { organizationId, path }) => [lockSubscriber(sql, organizationId, path.subscriber_id)],
  apply([subscriber], { now, input: { expected_updated_at, ...input } }) {
    assertUnchanged('subscriber', subscriber, expected_updated_at)
    const details = describeChanges(subscriber, input)
    if (!details) return { result: subscriber, details }
    const updated: Subscriber = { ...subscriber, ...toColumns(input), updatedAt: nextUpdatedAt(subscriber, now) }
    return { result: updated, details, writes: [updateRow(subscriberTable, updated)] }
  },
})
