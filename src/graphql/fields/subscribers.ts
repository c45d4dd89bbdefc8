import { createSubscriber } from '../../modules/subscribers/create-subscriber.ts'
import { deleteSubscriber } from '../../modules/subscribers/delete-subscriber.ts'
import { listSubscribers, readSubscriber } from '../../modules/subscribers/read-subscribers.ts'
import type { Subscriber } from '../../modules/subscribers/subscriber.ts'
import { updateSubscriber } from '../../modules/subscribers/update-subscriber.ts'
import { builder } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { defineConnection, pageField } from '../page.ts'

/** Its subscriptions and overrides are fields that those modules add. */
export const SubscriberType = builder.prismaObject('Subscriber', {
  description: "One of the vendor's customers.",
  fields: (t) => ({
    subscriberId: t.exposeID('id', { description: 'Chosen by the vendor; never changes.' }),
    name: t.exposeString('name', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

const SubscriberConnection = defineConnection<Subscriber>('Subscriber', SubscriberType)

builder.queryFields((t) => ({
  [listSubscribers.name]: t.field({
    ...pageField(listSubscribers, SubscriberConnection),
    description: 'By subscriberId, in the order of code points.',
  }),
  [readSubscriber.name]: t.field({
    type: SubscriberType,
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
  description: 'With its subscriptions and overrides. Answers the id that is gone.',
})
