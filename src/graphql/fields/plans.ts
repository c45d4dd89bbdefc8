import type { Count } from '../../core/count.ts'
import { loadSubscriberCounts } from '../../modules/plans/count-subscribers.ts'
import { deletePlan } from '../../modules/plans/delete-plan.ts'
import { grantAnswer, type PlanGrant, type PlanOutput, planAnswer } from '../../modules/plans/plan.ts'
import { listPlans, loadGrants, loadGrantsOfFeatures } from '../../modules/plans/read-plans.ts'
import { updatePlan } from '../../modules/plans/update-plan.ts'
import { listSubscribers } from '../../modules/subscribers/read-subscribers.ts'
import { builder } from '../builder.ts'
import { answerFields, registerType } from '../output-type.ts'
import { adjustRootField } from '../root-fields.ts'
import { CountType } from './counts.ts'
import { FeatureType } from './features.ts'

export const GrantType = builder.prismaObject('PlanGrant', {
  name: 'Grant',
  description: grantAnswer.description,
  fields: (t) => ({
    feature: t.exposeID('featureKey', { description: "The feature's key." }),
    ...answerFields(t, grantAnswer),
  }),
})

export const PlanType = builder.prismaObject('Plan', {
  description: planAnswer.description,
  fields: (t) => ({
    ...answerFields(t, planAnswer, { except: ['grants'] }),
    // A write returns a plan with its grants; a read loads them on request.
    grants: t.field({
      type: [GrantType],
      description: 'What the plan grants, sorted by feature key.',
      resolve: async (plan: PlanOutput, _args, context, info) =>
        plan.grants ?? (await context.nested(info, plan.key, loadGrants)) ?? [],
    }),
    subscriberCount: t.field({
      type: CountType,
      labels: listSubscribers.labels,
      description: 'How many subscribers have the plan now.',
      resolve: ({ key }, _args, context, info) => context.nested(info, key, loadSubscriberCounts) as Promise<Count>,
    }),
  }),
})

registerType(PlanType, planAnswer)

const FeatureGrantType = builder.objectRef<PlanGrant>('FeatureGrant').implement({
  description: 'What one plan grants for a feature.',
  fields: (t) => ({
    planKey: t.exposeID('planKey', { description: "The plan's key." }),
    grant: t.field({ type: GrantType, description: 'What the plan grants.', resolve: (grant) => grant }),
  }),
})

builder.prismaObjectFields(FeatureType, (t) => ({
  grants: t.field({
    type: [FeatureGrantType],
    labels: listPlans.labels,
    description: 'The plans that grant the feature, including archived ones, sorted by plan key.',
    resolve: async ({ key }, _args, context, info) => (await context.nested(info, key, loadGrantsOfFeatures)) ?? [],
  }),
}))

adjustRootField(updatePlan, { note: 'Fields that are left out stay as they are.' })

adjustRootField(deletePlan, {
  note: 'Returns the deleted key. Refused once the plan has had a subscription: archive it instead.',
})
