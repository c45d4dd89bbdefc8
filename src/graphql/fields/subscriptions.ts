import { notFound } from '../../core/errors.ts'
import { SubscriptionStatus } from '../../database/generated/enums.ts'
import { loadPlans, readPlan } from '../../modules/plans/read-plans.ts'
import { cancelSubscription } from '../../modules/subscriptions/cancel-subscription.ts'
import { changeSubscription } from '../../modules/subscriptions/change-subscription.ts'
import { createSubscription } from '../../modules/subscriptions/create-subscription.ts'
import {
  listSubscriptions,
  loadActiveSubscriptions,
  loadSubscriptionPages,
} from '../../modules/subscriptions/read-subscriptions.ts'
import type { Subscription } from '../../modules/subscriptions/subscription.ts'
import { builder, defineEnum } from '../builder.ts'
import { defineMutation } from '../mutation.ts'
import { defineConnection, pageArgs, pageComplexity, readArgs, toConnection } from '../page.ts'
import { PlanType } from './plans.ts'
import { SubscriberType } from './subscribers.ts'

const SubscriptionStatusEnum = defineEnum(
  'SubscriptionStatus',
  Object.values(SubscriptionStatus),
  'A subscriber has at most one ACTIVE subscription; a CANCELED one stays so.',
)

const SubscriptionType = builder.prismaObject('Subscription', {
  description: 'That a subscriber has, or had, a plan.',
  fields: (t) => ({
    id: t.exposeID('id'),
    subscriberId: t.exposeID('subscriberId'),
    planId: t.exposeID('planKey', { description: "The plan's key." }),
    plan: t.field({
      type: PlanType,
      labels: readPlan.labels,
      resolve: async ({ planKey }, _args, context, info) => {
        const plan = await context.nested(info, planKey, loadPlans)
        if (!plan) throw notFound('plan', planKey)
        return plan
      },
    }),
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
    description: 'Oldest first; the canceled ones too.',
    args: pageArgs,
    complexity: pageComplexity,
    resolve: async ({ id }, args, context, info) => {
      const input = await readArgs(listSubscriptions, args)
      const page = await context.nested(info, id, (scope, ids) => loadSubscriptionPages(scope, ids, input))
      return toConnection(page ?? { items: [], hasMore: false }, args, (subscription) => subscription.id)
    },
  }),
  activeSubscription: t.field({
    type: SubscriptionType,
    labels: listSubscriptions.labels,
    description: 'null when there is none.',
    resolve: async ({ id }, _args, context, info) =>
      ((await context.nested(info, id, loadActiveSubscriptions)) ?? null) as Subscription,
  }),
}))

defineMutation(createSubscription, {
  type: SubscriptionType,
  description: 'Refused while the subscriber has an active subscription, and on an archived plan.',
})

defineMutation(changeSubscription, {
  type: SubscriptionType,
  description: 'Cancels the active subscription and answers the new one.',
})

defineMutation(cancelSubscription, {
  type: SubscriptionType,
  description: "The plan's grants are lost at once; overrides stay.",
})
