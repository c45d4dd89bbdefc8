import { queryFromInfo } from '@pothos/plugin-prisma'
import { SubscriptionStatus } from '../../database/generated/enums.ts'
import { builder, defineEnum } from '../../graphql/builder.ts'
import {
  defineConnection,
  inNamesOfPage,
  nodePaths,
  pageArgs,
  pageComplexity,
  toConnection,
  toPageInput,
} from '../../graphql/page.ts'
import { PlanType } from '../plans/graphql.ts'
import { readPlan } from '../plans/read-plans.ts'
import { SubscriberType } from '../subscribers/graphql.ts'
import { cancelSubscription } from './cancel-subscription.ts'
import { changeSubscription } from './change-subscription.ts'
import { createSubscription } from './create-subscription.ts'
import { listSubscriptions, loadActiveSubscriptions, loadSubscriptionPages } from './read-subscriptions.ts'
import type { Subscription } from './subscription.ts'

const SubscriptionStatusEnum = defineEnum('SubscriptionStatus', Object.values(SubscriptionStatus))

const SubscriptionType = builder.prismaObject('Subscription', {
  fields: (t) => ({
    id: t.exposeID('id'),
    subscriberId: t.exposeID('subscriberId'),
    planId: t.exposeID('planKey', { description: "The plan's key." }),
    plan: t.relation('plan', { type: PlanType, labels: readPlan.labels }),
    status: t.field({ type: SubscriptionStatusEnum, resolve: ({ status }) => status }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    canceledAt: t.expose('canceledAt', { type: 'DateTime', nullable: true }),
  }),
})

const SubscriptionConnection = defineConnection<Subscription>('Subscription', SubscriptionType)

builder.prismaObjectFields(SubscriberType, (t) => ({
  subscriptions: t.field({
    type: SubscriptionConnection,
    labels: listSubscriptions.labels,
    args: pageArgs(t.arg),
    complexity: pageComplexity,
    resolve: async ({ organizationId, id }, args, context, info) => {
      const input = await inNamesOfPage((async () => listSubscriptions.input.parse(toPageInput(args)))())
      const selection = queryFromInfo({ context, info, typeName: 'Subscription', paths: nodePaths })
      const page = await context.batches.load(
        `subscriptions ${JSON.stringify(info.path.key)}${JSON.stringify(input)}`,
        id,
        (ids) => loadSubscriptionPages(context.services.database.prisma, organizationId, ids, input, selection),
      )
      return toConnection(page ?? { items: [], hasMore: false }, args, (subscription) => subscription.id)
    },
  }),
  activeSubscription: t.field({
    type: SubscriptionType,
    nullable: true,
    labels: listSubscriptions.labels,
    resolve: async ({ organizationId, id }, _args, context, info) => {
      const selection = queryFromInfo({ context, info, typeName: 'Subscription' })
      const active = await context.batches.load(`activeSubscription ${JSON.stringify(info.path.key)}`, id, (ids) =>
        loadActiveSubscriptions(context.services.database.prisma, organizationId, ids, selection),
      )
      return active ?? null
    },
  }),
}))

const SubscribeInput = builder.inputType('SubscribeInput', {
  fields: (t) => ({
    subscriberId: t.string({ required: true }),
    planId: t.string({ required: true, description: "The plan's key." }),
  }),
})

const CancelSubscriptionInput = builder.inputType('CancelSubscriptionInput', {
  fields: (t) => ({
    subscriberId: t.string({ required: true }),
    subscriptionId: t.string({ required: true }),
  }),
})

builder.mutationFields((t) => ({
  [createSubscription.name]: t.field({
    type: SubscriptionType,
    args: { input: t.arg({ type: SubscribeInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(createSubscription, input),
  }),
  [changeSubscription.name]: t.field({
    type: SubscriptionType,
    description: 'Answers the new subscription; the active one is canceled.',
    args: { input: t.arg({ type: SubscribeInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(changeSubscription, input),
  }),
  [cancelSubscription.name]: t.field({
    type: SubscriptionType,
    args: { input: t.arg({ type: CancelSubscriptionInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(cancelSubscription, input),
  }),
}))
