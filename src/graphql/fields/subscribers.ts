import { fieldsOf } from '../../core/field-type.ts'
import { createSubscriber } from '../../modules/subscribers/create-subscriber.ts'
import { deleteSubscriber } from '../../modules/subscribers/delete-subscriber.ts'
import { listSubscribers, readSubscriber } from '../../modules/subscribers/read-subscribers.ts'
import { type Subscriber, subscriberAnswer } from '../../modules/subscribers/subscriber.ts'
import { subscriberFilterShape } from '../../modules/subscribers/subscriber-filter.ts'
import { updateSubscriber } from '../../modules/subscribers/update-subscriber.ts'
import { builder } from '../builder.ts'
import { defineInputType, withoutNulls } from '../input-type.ts'
import { defineMutation } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { defineConnection, pageArgs, pageComplexity, toConnection } from '../page.ts'

/** Its subscriptions and overrides are fields that those modules add. */
export const SubscriberType = builder.prismaObject('Subscriber', {
  description: subscriberAnswer.description,
  fields: (t) => answerFields(t, subscriberAnswer),
})

const SubscriberConnection = defineConnection<Subscriber>('Subscriber', SubscriberType)

const SubscriberFilterInput = defineInputType('SubscriberFilter', fieldsOf(subscriberFilterShape), {
  description: 'All combined with AND.',
})

builder.queryFields((t) => ({
  [listSubscribers.name]: t.field({
    type: SubscriberConnection,
    description: listSubscribers.summary,
    args: builder.args((t) => ({ filter: t.field({ type: SubscriberFilterInput }), ...pageArgs })),
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, context) => {
      const subscribers = await context.run(listSubscribers, withoutNulls({ ...(filter ?? {}), ...page }))
      return toConnection(subscribers, page, ({ id }) => id)
    },
  }),
  [readSubscriber.name]: t.field({
    type: SubscriberType,
    description: readSubscriber.summary,
    args: { subscriberId: t.arg.id({ required: true }) },
    resolve: (_root, { subscriberId }, context) => context.run(readSubscriber, { subscriberId }),
  }),
}))

defineMutation(createSubscriber, {
  type: SubscriberType,
})

defineMutation(updateSubscriber, {
  type: SubscriberType,
})

defineMutation(deleteSubscriber, {
  type: 'ID',
  note: 'Answers the id that is gone.',
})
