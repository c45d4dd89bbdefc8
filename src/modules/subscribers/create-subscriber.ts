import { conflict } from '../../core/errors.ts'
import { text } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { defineWrite } from '../../operation/operation.ts'
import { subscriberAnswer, subscriberId } from './subscriber.ts'

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
      name: text(1, 255).nullable().optional(),
    },
    { unknown: 'ignore' },
  ),
  answer: subscriberAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, now, organizationId, input }) {
    const [subscriber] = await tx.subscriber.createManyAndReturn({
      data: { organizationId, id: input.subscriber_id, name: input.name ?? null, createdAt: now, updatedAt: now },
      skipDuplicates: true,
    })
    if (!subscriber) {
      throw conflict(
        { field: 'subscriber_id', value: input.subscriber_id },
        `A subscriber with the id "${input.subscriber_id}" exists already.`,
      )
    }
    const details = { subscriber_id: subscriber.id, name: subscriber.name }
    return { result: subscriber, createdId: subscriber.id, details }
  },
})
