import { notFound } from '../../core/errors.ts'
import { StoredJson } from '../../core/stored-json.ts'
import { deleteOverride } from '../../modules/overrides/delete-override.ts'
import { putOverride } from '../../modules/overrides/put-override.ts'
import {
  listOverrides,
  loadOverrides,
  loadOverridesOfFeature,
  readOverride,
} from '../../modules/overrides/read-overrides.ts'
import { builder } from '../builder.ts'
import { argsOf } from '../input-type.ts'
import { defineMutation } from '../mutation.ts'
import { readArgs } from '../page.ts'
import { FeatureKindEnum } from './features.ts'
import { SubscriberType } from './subscribers.ts'

const OverrideType = builder.prismaObject('Override', {
  description: 'Replaces, for one subscriber and one feature, what the plan grants, until it expires or is deleted.',
  fields: (t) => ({
    id: t.exposeID('id'),
    subscriberId: t.exposeID('subscriberId'),
    feature: t.exposeID('featureKey', { description: "The feature's key." }),
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
      resolve: ({ value }) => (value === null ? null : new StoredJson(value)),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From then on it counts no more; null is never.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.prismaObjectFields(SubscriberType, (t) => ({
  overrides: t.field({
    type: [OverrideType],
    labels: listOverrides.labels,
    description: 'Newest first; those that have expired only when asked for.',
    args: argsOf(listOverrides.input.fields),
    resolve: async ({ id }, args, context, info) => {
      const { include_expired: includeExpired } = await readArgs(listOverrides, args)
      const overrides = await context.nested(info, id, (scope, ids) => loadOverrides(scope, ids, { includeExpired }))
      return overrides ?? []
    },
  }),
  override: t.field({
    type: OverrideType,
    labels: readOverride.labels,
    description: 'That for one feature, expired or not.',
    args: { feature: t.arg.id({ required: true, description: "The feature's key." }) },
    resolve: async ({ id }, { feature }, context, info) => {
      const override = await context.nested(info, id, (scope, ids) => loadOverridesOfFeature(scope, ids, feature))
      if (!override) throw notFound('override', feature)
      return override
    },
  }),
}))

defineMutation(putOverride, {
  type: OverrideType,
  description: 'Makes the override, or replaces the one that the subscriber has for this feature.',
})

defineMutation(deleteOverride, {
  type: 'ID',
  description: "The plan's grant counts again. Answers the key of the feature.",
})
