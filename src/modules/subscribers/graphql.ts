import { queryFromInfo } from '@pothos/plugin-prisma'
import { builder } from '../../graphql/builder.ts'
import {
  defineConnection,
  inNamesOfPage,
  nodePaths,
  pageArgs,
  pageComplexity,
  toConnection,
  toPageInput,
} from '../../graphql/page.ts'
import { createSubscriber } from './create-subscriber.ts'
import { deleteSubscriber } from './delete-subscriber.ts'
import { listSubscribers, readSubscriber } from './read-subscribers.ts'
import type { Subscriber } from './subscriber.ts'
import { updateSubscriber } from './update-subscriber.ts'

/** Its subscriptions and overrides are fields that those modules add. */
export const SubscriberType = builder.prismaObject('Subscriber', {
  fields: (t) => ({
    subscriberId: t.exposeID('id', { description: 'Chosen by the vendor.' }),
    name: t.exposeString('name', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

const SubscriberConnection = defineConnection<Subscriber>('Subscriber', SubscriberType)

builder.queryFields((t) => ({
  [listSubscribers.name]: t.field({
    type: SubscriberConnection,
    description: 'By id, in order of code points.',
    args: pageArgs(t.arg),
    complexity: pageComplexity,
    resolve: async (_root, args, context, info) => {
      const selection = queryFromInfo({ context, info, typeName: 'Subscriber', paths: nodePaths })
      const page = await inNamesOfPage(context.read(listSubscribers, {}, toPageInput(args), selection))
      return toConnection(page, args, ({ id }) => id)
    },
  }),
  [readSubscriber.name]: t.prismaField({
    type: 'Subscriber',
    args: { subscriberId: t.arg.id({ required: true }) },
    resolve: (selection, _root, { subscriberId }, context) =>
      context.read(readSubscriber, { subscriber_id: String(subscriberId) }, {}, selection),
  }),
}))

const CreateSubscriberInput = builder.inputType('CreateSubscriberInput', {
  fields: (t) => ({ subscriberId: t.string({ required: true }), name: t.string() }),
})

const UpdateSubscriberInput = builder.inputType('UpdateSubscriberInput', {
  fields: (t) => ({
    subscriberId: t.string({ required: true, description: 'Which subscriber; an id never changes.' }),
    name: t.string({ description: 'null clears it.' }),
  }),
})

const DeleteSubscriberInput = builder.inputType('DeleteSubscriberInput', {
  fields: (t) => ({ subscriberId: t.string({ required: true }) }),
})

builder.mutationFields((t) => ({
  [createSubscriber.name]: t.field({
    type: SubscriberType,
    args: { input: t.arg({ type: CreateSubscriberInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(createSubscriber, input),
  }),
  [updateSubscriber.name]: t.field({
    type: SubscriberType,
    args: { input: t.arg({ type: UpdateSubscriberInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(updateSubscriber, input),
  }),
  [deleteSubscriber.name]: t.id({
    description: 'With its subscriptions and overrides. Answers the id that is gone.',
    args: { input: t.arg({ type: DeleteSubscriberInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(deleteSubscriber, input),
  }),
}))
