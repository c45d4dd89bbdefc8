import { validationError } from '../../core/errors.ts'
import { toObject } from '../../core/json.ts'
import { StoredJson } from '../../core/stored-json.ts'
import { archivePlan, unarchivePlan } from '../../modules/plans/archive-plan.ts'
import { createPlan } from '../../modules/plans/create-plan.ts'
import { deletePlan } from '../../modules/plans/delete-plan.ts'
import type { Plan, PlanGrant } from '../../modules/plans/plan.ts'
import { listPlans, loadGrants, readPlan } from '../../modules/plans/read-plans.ts'
import { updatePlan } from '../../modules/plans/update-plan.ts'
import { builder } from '../builder.ts'
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
    args: { includeArchived: t.arg.boolean({ defaultValue: false }) },
    resolve: (_root, { includeArchived }, context) =>
      context.run(listPlans, { includeArchived: includeArchived ?? false }, { selection: withoutGrants }),
  }),
  [readPlan.name]: t.field({
    type: PlanType,
    args: { key: t.arg.id({ required: true }) },
    resolve: (_root, { key }, context) => context.run(readPlan, { key }, { selection: withoutGrants }),
  }),
}))

const GrantInput = builder.inputType('GrantInput', {
  fields: (t) => ({
    feature: t.id({ required: true, description: "The feature's key." }),
    kind: t.field({ type: FeatureKindEnum, required: true, description: "The feature's own kind." }),
    limit: t.field({ type: 'SafeInt', description: 'Required for kind LIMIT: from 0, or null for unlimited.' }),
    value: t.field({ type: 'JSON', description: "Required for kind CONFIG: of the feature's value type, never null." }),
  }),
})

type GrantFields = { feature: string; kind: string; limit?: number | null; value?: unknown }

/** The list of the schema as the map of the operation; 422 where a feature comes twice. */
function withGrantMap<Body extends { grants?: readonly GrantFields[] | null | undefined }>(body: Body) {
  if (!body.grants) return body
  const grants = new Map<string, object>()
  for (const { feature, ...grant } of body.grants) {
    const path = `grants.${feature}`
    if (grants.has(feature)) throw validationError([{ path, message: `${path} is given twice.` }])
    grants.set(feature, grant)
  }
  return { ...body, grants: toObject(grants) }
}

defineMutation(createPlan, {
  type: PlanType,
  input: (t) => ({
    key: t.id({ required: true, description: '1 to 64 lower-case letters, digits, underscores or dashes.' }),
    name: t.string({ required: true }),
    kind: t.string({ description: "A label of the vendor's own; `standard` when left out." }),
    grants: t.field({ type: [GrantInput] }),
  }),
  toBody: withGrantMap,
})

defineMutation(updatePlan, {
  type: PlanType,
  description: 'Changes what is given and leaves the rest.',
  input: (t) => ({
    key: t.id({ required: true, description: 'Which plan.' }),
    name: t.string(),
    grants: t.field({ type: [GrantInput], description: 'All of them: what is not in the list is no longer granted.' }),
    expectedUpdatedAt: t.field({
      type: 'DateTime',
      description: "The plan's updatedAt as you read it: CONFLICT when someone else changed the plan since.",
    }),
  }),
  toBody: withGrantMap,
})

defineMutation(archivePlan, {
  type: PlanType,
  description: 'It takes no new subscriptions from now on; those that it has stay.',
  input: (t) => ({ key: t.id({ required: true }) }),
})

defineMutation(unarchivePlan, {
  type: PlanType,
  description: 'It takes new subscriptions again.',
  input: (t) => ({ key: t.id({ required: true }) }),
})

defineMutation(deletePlan, {
  type: 'ID',
  description: 'Answers the key that is gone. Refused once the plan has had a subscription: archive it instead.',
  input: (t) => ({ key: t.id({ required: true }) }),
})
