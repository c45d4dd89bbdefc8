import { queryFromInfo } from '@pothos/plugin-prisma'
import { notFound } from '../../core/errors.ts'
import { builder } from '../../graphql/builder.ts'
import { FeatureKindEnum } from '../features/graphql.ts'
import { SubscriberType } from '../subscribers/graphql.ts'
import { deleteOverride } from './delete-override.ts'
import { liveAt, toOverrideValue } from './override.ts'
import { putOverride } from './put-override.ts'
import { listOverrides, loadOverridesOfFeature, readOverride } from './read-overrides.ts'

const OverrideType = builder.prismaObject('Override', {
  fields: (t) => ({
    id: t.exposeID('id'),
    subscriberId: t.exposeID('subscriberId'),
    feature: t.exposeString('featureKey'),
    kind: t.field({ type: FeatureKindEnum, resolve: ({ kind }) => kind }),
    allowed: t.exposeBoolean('allowed', { nullable: true, description: 'Of kind FLAG alone.' }),
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
      resolve: (override) => {
        const value = toOverrideValue(override)
        return value.kind === 'config' ? value.value : null
      },
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.prismaObjectFields(SubscriberType, (t) => ({
  overrides: t.relation('overrides', {
    type: OverrideType,
    labels: listOverrides.labels,
    description: 'Newest first; those that have expired only when asked for.',
    args: { includeExpired: t.arg.boolean({ defaultValue: false }) },
    query: ({ includeExpired }, context) => ({
      where: includeExpired ? {} : liveAt(context.actor().authenticatedAt),
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    }),
  }),
  override: t.field({
    type: OverrideType,
    labels: readOverride.labels,
    description: 'For one feature, expired or not.',
    args: { feature: t.arg.id({ required: true }) },
    resolve: async ({ organizationId, id }, args, context, info) => {
      const feature = String(args.feature)
      const selection = queryFromInfo({ context, info, typeName: 'Override' })
      const override = await context.batches.load(`override ${info.path.key} ${feature}`, id, (ids) =>
        loadOverridesOfFeature(context.services.database.prisma, organizationId, ids, feature, selection),
      )
      if (!override) throw notFound('override', feature)
      return override
    },
  }),
}))

const PutOverrideInput = builder.inputType('PutOverrideInput', {
  fields: (t) => ({
    subscriberId: t.string({ required: true }),
    featureKey: t.string({ required: true }),
    kind: t.field({ type: FeatureKindEnum, required: true }),
    allowed: t.boolean({ description: 'Required for kind FLAG.' }),
    limit: t.field({ type: 'SafeInt', description: 'Required for kind LIMIT; null is unlimited.' }),
    value: t.field({ type: 'JSON', description: 'Required for kind CONFIG.' }),
    expiresAt: t.field({ type: 'DateTime', description: 'Left out or null: it does not expire.' }),
  }),
})

const DeleteOverrideInput = builder.inputType('DeleteOverrideInput', {
  fields: (t) => ({ subscriberId: t.string({ required: true }), featureKey: t.string({ required: true }) }),
})

builder.mutationFields((t) => ({
  [putOverride.name]: t.field({
    type: OverrideType,
    args: { input: t.arg({ type: PutOverrideInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(putOverride, input),
  }),
  [deleteOverride.name]: t.id({
    description: 'Answers the key of the feature.',
    args: { input: t.arg({ type: DeleteOverrideInput, required: true }) },
    resolve: (_root, { input }, context) => context.write(deleteOverride, input),
  }),
}))
