import { defineInput } from '../../core/input.ts'
import { toColumns, toFields } from '../../core/names.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { assertUnchanged, expectedUpdatedAt } from '../../operation/expected.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { lockSubscriber, subscriberAnswer, subscriberFields } from './subscriber.ts'

export const updateSubscriber = defineWrite({
  name: 'updateSubscriber',
  summary: 'Rename a subscriber.',
  method: 'PATCH',
  route: '/org/subscribers/{subscriber_id}',
  service: 'api',
  labels: ['subscribers:write'],
  status: 200,
  input: defineInput(
    { ...subscriberFields, expected_updated_at: expectedUpdatedAt('subscriber') },
    { unknown: 'ignore' },
  ),
  answer: subscriberAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, now, organizationId, path, input: { expected_updated_at, ...input } }) {
    const subscriber = await lockSubscriber(tx, organizationId, path.subscriber_id)
    assertUnchanged('subscriber', subscriber, expected_updated_at)
    const details = describeChanges(toFields(subscriber), input)
    if (!details) return { result: subscriber, details }
    const updated = await tx.subscriber.update({
      where: { organizationId_id: { organizationId, id: subscriber.id } },
      data: { ...toColumns(input), updatedAt: nextUpdatedAt(subscriber, now) },
    })
    return { result: updated, details }
  },
})
