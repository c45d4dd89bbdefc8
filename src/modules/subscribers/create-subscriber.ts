import { conflict } from '../../core/errors.ts'
import { defineInput } from '../../core/input.ts'
import { defineFastWrite } from '../../operation/operation.ts'
import { insertSubscriber, newSubscriberId, subscriberAnswer, subscriberFields } from './subscriber.ts'

export const createSubscriber = defineFastWrite({
  name: 'createSubscriber',
  summary: 'Create a subscriber.',
  method: 'POST',
  route: '/org/subscribers',
  service: 'api',
  labels: ['subscribers:write'],
  status: 201,
  input: defineInput(
    {
      subscriber_id: newSubscriberId(),
      ...subscriberFields.input,
    },
    { unknown: 'ignore' },
  ),
  answer: subscriberAnswer,
  refusals: ['CONFLICT'],
  lockAndRead: (sql, { organizationId, input: { subscriber_id: id, ...input } }) => [
    insertSubscriber(sql, { organizationId, id, input }),
  ],
  apply([subscriber], { input: { subscriber_id: id } }) {
    if (!subscriber) {
      throw conflict({ field: 'subscriber_id', value: id }, `A subscriber with the id "${id}" already exists.`)
    }
    const details = { subscriber_id: subscriber.id, ...subscriberFields.toDetails(subscriber) }
    return { result: subscriber, createdId: subscriber.id, details }
  },
})
