import { createSubscriber } from '../../modules/subscribers/create-subscriber.ts'
import { deleteSubscriber } from '../../modules/subscribers/delete-subscriber.ts'
import { listSubscribers, readSubscriber } from '../../modules/subscribers/read-subscribers.ts'
import { type Subscriber, subscriberAnswer } from '../../modules/subscribers/subscriber.ts'
import { updateSubscriber } from '../../modules/subscribers/update-subscriber.ts'
import { builder } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { defineConnection, pageField } from '../page.ts'

/** Its subscriptions and overrides are fields that those modules add. */
export const SubscriberType = builder.prismaObject('Subscriber', {
  description: subscriberAnswer.description,
  fields: (t) => answerFields(t, subscriberAnswer),
})

const SubscriberConnection = defineConnection<Subscriber>('Subscriber', SubscriberType)

builder.queryFields((t) => ({
  [listSubscribers.name]: t.field({
    ...pageField(listSubscribers, SubscriberConnection),
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
