import { text } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import { defineWrite } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { lockSubscriber, subscriberAnswer } from './subscriber.ts'

export const updateSubscriber = defineWrite({
  name: 'updateSubscriber',
  summary: 'Rename a subscriber.',
  method: 'PATCH',
  route: '/org/subscribers/{subscriber_id}',
  service: 'api',
  labels: ['subscribers:write'],
  status: 200,
  input: defineInput({ name: text(1, 255).nullable().optional() }, { unknown: 'ignore' }),
  answer: subscriberAnswer,
  async run({ tx, now, organizationId, path, input }) {
    const subscriber = await lockSubscriber(tx, organizationId, path.subscriber_id)
    const details = describeChanges({ name: subscriber.name }, input)
    if (!details) return { result: subscriber, details }
    const updated = await tx.subscriber.update({
      where: { organizationId_id: { organizationId, id: subscriber.id } },
      data: { ...input, updatedAt: nextUpdatedAt(subscriber, now) },
    })
    return { result: updated, details }
  },
})
