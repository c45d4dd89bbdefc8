import { conflict } from '../../core/errors.ts'
import { defineInput } from '../../core/input.ts'
import { toColumns } from '../../core/names.ts'
import { defineWrite } from '../../operation/operation.ts'
import { subscriberAnswer, subscriberFields, subscriberId } from './subscriber.ts'

export const createSubscriber = defineWrite({
  name: 'createSubscriber',
  summary: 'Create a subscriber.',
  method: 'POST',
  route: '/org/subscribers',
  service: 'api',
  labels: ['subscribers:write'],
  status: 201,
  input: defineInput(
    {
      subscriber_id: subscriberId(),
      ...subscriberFields,
    },
    { unknown: 'ignore' },
  ),
  answer: subscriberAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, now, organizationId, input }) {
    const { subscriber_id: id, ...written } = input
    const [subscriber] = await tx.subscriber.createManyAndReturn({
      data: { organizationId, id, ...toColumns(written), createdAt: now, updatedAt: now },
      skipDuplicates: true,
    })
    if (!subscriber) {
      throw conflict({ field: 'subscriber_id', value: id }, `A subscriber with the id "${id}" exists already.`)
    }
    const details = { subscriber_id: subscriber.id, name: subscriber.name }
    return { result: subscriber, createdId: subscriber.id, details }
  },
})
