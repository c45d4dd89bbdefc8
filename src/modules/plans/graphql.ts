import { validationError } from '../../core/errors.ts'
import { builder } from '../../graphql/builder.ts'
import { FeatureKindEnum } from '../features/graphql.ts'
import { archivePlan, unarchivePlan } from './archive-plan.ts'
import { createPlan } from './create-plan.ts'
import { deletePlan } from './delete-plan.ts'
import { toGrant } from './plan.ts'
import { listPlans, readPlan } from './read-plans.ts'
import { updatePlan } from './update-plan.ts'

const GrantType = builder.prismaObject('PlanGrant', {
  name: 'Grant',
  fields: (t) => ({
    feature: t.exposeString('featureKey'),
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
      resolve: (row) => {
        const grant = toGrant(row)
        return grant.kind === 'config' ? grant.value : null
      },
    }),
  }),
})

export const PlanType = builder.prismaObject('Plan', {
  fields: (t) => ({
    key: t.exposeID('key'),
    name: t.exposeString('name'),
    kind: t.exposeString('kind', { description: "A label of the vendor's own." }),
    grants: t.relation('grants', { type: GrantType, query: { orderBy: { featureKey: 'asc' } } }),
    archivedAt: t.expose('archivedAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  [listPlans.name]: t.prismaField({
    type: ['Plan'],
    description: 'Newest first.',
    args: { includeArchived: t.arg.boolean({ defaultValue: false }) },
    resolve: (selection, _root, { includeArchived }, context) =>
      context.read(listPlans, {}, { include_archived: includeArchived ?? false }, selection),
  }),
  [readPlan.name]: t.prismaField({
    type: 'Plan',
    args: { key: t.arg.id({ required: true }) },
    resolve: (selection, _root, { key }, context) => context.read(readPlan, { key: String(key) }, {}, selection),
  }),
}))

const GrantInput = builder.inputType('GrantInput', {
  fields: (t) => ({
    feature: t.string({ required: true }),
    kind: t.field({ type: FeatureKindEnum, required: true }),
    limit: t.field({ type: 'SafeInt', description: 'Required for kind LIMIT; null is unlimited.' }),
    value: t.field({ type: 'JSON', description: 'Required for kind CONFIG.' }),
  }),
})

type GrantFields = { feature: string; kind: string; limit?: number | null; value?: unknown }

/** The list of the schema as the map of the operation; 422 where a feature comes twice. */
function toGrantMap(grants: readonly GrantFields[]): Record<string, object> {
  const map: Record<string, object> = Object.create(null)
  for (const { feature, ...grant } of grants) {
    const path = `grants.${feature}`
    if (Object.hasOwn(map, feature)) throw validationError([{ path, message: `${path} is given twice.` }])
    map[feature] = grant
  }
  return map
}

function withGrantMap<Input extends { grants?: readonly GrantFields[] | null | undefined }>(input: Input): object {
  return { ...input, ...(input.grants && { grants: toGrantMap(input.grants) }) }
}

const CreatePlanInput = builder.inputType('CreatePlanInput', {
  fields: (t) => ({
    key: t.string({ required: true }),
    name: t.string({ required: true }),
    kind: t.string({ description: "A label of the vendor's own; `standard` when left out." }),
    grants: t.field({ type: [GrantInput] }),
  }),
})

const UpdatePlanInput = builder.inputType('UpdatePlanInput', {
  fields: (t) => ({
    key: t.string({ required: true, description: 'Which plan; a key never changes.' }),
    name: t.string(),
    grants: t.field({ type: [GrantInput], description: 'All of them: what is not in the list is no longer granted.' }),
    expectedUpdatedAt: t.field({ type: 'DateTime', description: "The plan's updatedAt as you read it." }),
  }),
})

const PlanKeyInput = builder.inputType('PlanKeyInput', {
  fields: (t) => ({ key: t.string({ required: true }) }),
})

builder.mutationFields((t) => ({
  [createPlan.name]: t.field({
    type: PlanType,
    args: { input: t.arg({ type: CreatePlanInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(createPlan, withGrantMap(input)),
  }),
  [updatePlan.name]: t.field({
    type: PlanType,
    args: { input: t.arg({ type: UpdatePlanInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(updatePlan, withGrantMap(input)),
  }),
  [archivePlan.name]: t.field({
    type: PlanType,
    description: 'It takes no new subscriptions from now on; those that it has stay.',
    args: { input: t.arg({ type: PlanKeyInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(archivePlan, input),
  }),
  [unarchivePlan.name]: t.field({
    type: PlanType,
    args: { input: t.arg({ type: PlanKeyInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(unarchivePlan, input),
  }),
  [deletePlan.name]: t.id({
    description: 'Answers the key that is gone.',
    args: { input: t.arg({ type: PlanKeyInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(deletePlan, input),
  }),
}))
