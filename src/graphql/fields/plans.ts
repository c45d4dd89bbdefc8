import { StoredJson } from '../../core/stored-json.ts'
import { archivePlan, unarchivePlan } from '../../modules/plans/archive-plan.ts'
import { createPlan } from '../../modules/plans/create-plan.ts'
import { deletePlan } from '../../modules/plans/delete-plan.ts'
import type { Plan, PlanGrant } from '../../modules/plans/plan.ts'
import { listPlans, loadGrants, readPlan } from '../../modules/plans/read-plans.ts'
import { updatePlan } from '../../modules/plans/update-plan.ts'
import { builder } from '../builder.ts'
import { argsOf, withoutNulls } from '../input-type.ts'
import { defineMutation } from '../mutation.ts'
import { FeatureKindEnum } from './features.ts'

const GrantType = builder.prismaObject('PlanGrant', {
  name: 'Grant',
  description: 'What a plan grants for one feature.',
  fields: (t) => ({
    feature: t.exposeID('featureKey', { description: "The feature's key." }),
    kind: t.field({ type: FeatureKindEnum, resolve: ({ kind }) => kind }),
    limit: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Of kind LIMIT alone; null there is unlimited.',
      resolve: ({ limit }) => (limit === null ? null : Number(limit)),
    }),
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Of kind CONFIG alone.',
      resolve: ({ value }) => (value === null ? null : new StoredJson(value)),
    }),
  }),
})

/** A write answers a plan with its grants; from a read they come when they are asked for. */
type PlanToShow = Plan & { grants?: PlanGrant[] }

const withoutGrants = {}

export const PlanType = builder.prismaObject('Plan', {
  description: 'A set of grants that subscribers subscribe to.',
  fields: (t) => ({
    key: t.exposeID('key', {
      description: 'Unique in the organization; never changes. Elsewhere it is called planId.',
    }),
    name: t.exposeString('name'),
    kind: t.exposeString('kind', { description: "A label of the vendor's own; never changes." }),
    grants: t.field({
      type: [GrantType],
      description: 'Sorted by feature key.',
      resolve: async (plan: PlanToShow, _args, context, info) =>
        plan.grants ?? (await context.nested(info, plan.key, loadGrants)) ?? [],
    }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'An archived plan takes no new subscriptions.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  [listPlans.name]: t.field({
    type: [PlanType],
    description: 'Newest first; the archived ones only when asked for.',
    args: argsOf(listPlans.input.fields),
    resolve: (_root, args, context) => context.run(listPlans, withoutNulls(args), { selection: withoutGrants }),
  }),
  [readPlan.name]: t.field({
    type: PlanType,
    args: { key: t.arg.id({ required: true }) },
    resolve: (_root, { key }, context) => context.run(readPlan, { key }, { selection: withoutGrants }),
  }),
}))

defineMutation(createPlan, {
  type: PlanType,
})

defineMutation(updatePlan, {
  type: PlanType,
  description: 'Changes what is given and leaves the rest.',
})

defineMutation(archivePlan, {
  type: PlanType,
  description: 'It takes no new subscriptions from now on; those that it has stay.',
})

defineMutation(unarchivePlan, {
  type: PlanType,
  description: 'It takes new subscriptions again.',
})

defineMutation(deletePlan, {
  type: 'ID',
  description: 'Answers the key that is gone. Refused once the plan has had a subscription: archive it instead.',
})
