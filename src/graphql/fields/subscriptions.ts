import { requireFound } from '../../core/errors.ts'
import { loadActors } from '../../modules/members/acting-member.ts'
import { loadPlans, readPlan } from '../../modules/plans/read-plans.ts'
import { cancelSubscription } from '../../modules/subscriptions/cancel-subscription.ts'
import { changeSubscription } from '../../modules/subscriptions/change-subscription.ts'
import { createSubscription } from '../../modules/subscriptions/create-subscription.ts'
import {
  listSubscriptions,
  loadActiveSubscriptions,
  loadSubscriptionPages,
} from '../../modules/subscriptions/read-subscriptions.ts'
import { type Subscription, subscriptionAnswer } from '../../modules/subscriptions/subscription.ts'
import { builder } from '../builder.ts'
import { needsColumns } from '../needed-columns.ts'
import { answerFields, registerType } from '../output-type.ts'
import { connectionOf, pageArgs, pageComplexity, readArgs, toConnection } from '../page.ts'
import { adjustRootField, markNestedOnly } from '../root-fields.ts'
import { ActingMemberType } from './members.ts'
import { PlanType } from './plans.ts'
import { SubscriberType } from './subscribers.ts'

const SubscriptionType = builder.prismaObject('Subscription', {
  description: subscriptionAnswer.description,
  fields: (t) => ({
    ...answerFields(t, subscriptionAnswer),
    createdBy: t.field({
      type: ActingMemberType,
      nullable: true,
      description: 'Who created it, if known.',
      extensions: needsColumns('createdBy'),
      resolve: async ({ createdBy }, _args, context, info) =>
        (createdBy && (await context.nested(info, createdBy, loadActors))) || null,
    }),
    plan: t.field({
      type: PlanType,
      labels: readPlan.labels,
      description: 'The plan.',
      extensions: needsColumns('planKey'),
      resolve: async ({ planKey }, _args, context, info) =>
        requireFound('plan', planKey, await context.nested(info, planKey, loadPlans)),
    }),
  }),
})

registerType(SubscriptionType, subscriptionAnswer)

markNestedOnly(listSubscriptions)

builder.prismaObjectFields(SubscriberType, (t) => ({
  subscriptions: t.field({
    type: connectionOf(SubscriptionType),
    labels: listSubscriptions.labels,
    description: 'All subscriptions, oldest first, including canceled ones.',
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
    description: 'The active subscription; null if there is none.',
    resolve: ({ id }, _args, context, info) =>
      context.nested(info, id, loadActiveSubscriptions) as Promise<Subscription>,
  }),
}))

adjustRootField(createSubscription, {
  note: 'Refused if the subscriber has an active subscription, or if the plan is archived.',
})

adjustRootField(changeSubscription, { note: 'Returns the new subscription.' })

adjustRootField(cancelSubscription, { note: "The plan's grants are lost at once; overrides stay." })
