import { builder, defineEnum } from '../../graphql/builder.ts'
import { FeatureKindEnum } from '../features/graphql.ts'
import type { Entitlement } from './entitlement.ts'
import type { EvalUsage } from './eval-usage.ts'
import { checkEntitlement, readEntitlements, type Snapshot } from './read-entitlements.ts'
import { readEvalUsage } from './read-eval-usage.ts'

const EntitlementSourceEnum = defineEnum('EntitlementSource', ['override', 'plan', 'none'])

const EntitlementType = builder.objectRef<Entitlement>('Entitlement').implement({
  fields: (t) => ({
    feature: t.exposeString('feature'),
    kind: t.field({ type: FeatureKindEnum, resolve: ({ kind }) => kind }),
    allowed: t.exposeBoolean('allowed'),
    limit: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Of kind LIMIT alone; null there is unlimited.',
      resolve: (entitlement) => (entitlement.kind === 'limit' ? entitlement.limit : null),
    }),
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Of kind CONFIG alone; null when nothing grants it.',
      resolve: (entitlement) =>
        entitlement.kind === 'config' && entitlement.valueJson !== null ? JSON.parse(entitlement.valueJson) : null,
    }),
    source: t.field({ type: EntitlementSourceEnum, resolve: ({ source }) => source }),
    expiresAt: t.field({ type: 'DateTime', nullable: true, resolve: ({ expiresAt }) => expiresAt }),
  }),
})

const EntitlementsType = builder.objectRef<Snapshot>('Entitlements').implement({
  description: 'What a subscriber may: one item for every feature of the catalog, newest feature first.',
  fields: (t) => ({
    subscriberId: t.exposeID('subscriberId'),
    plan: t.exposeID('plan', { nullable: true, description: "The active plan's key." }),
    entitlements: t.field({ type: [EntitlementType], resolve: ({ entitlements }) => entitlements.toArray() }),
    validUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the first of the live overrides expires.',
      resolve: ({ entitlements }) => entitlements.validUntil,
    }),
  }),
})

const EvalUsageDayType = builder.objectRef<EvalUsage['days'][number]>('EvalUsageDay').implement({
  fields: (t) => ({ date: t.exposeString('date'), used: t.expose('used', { type: 'SafeInt' }) }),
})

const EvalUsageType = builder.objectRef<EvalUsage>('EvalUsage').implement({
  fields: (t) => ({
    month: t.exposeString('month'),
    used: t.expose('used', { type: 'SafeInt' }),
    allotment: t.expose('allotment', { type: 'SafeInt', nullable: true, description: 'null is unlimited.' }),
    days: t.field({ type: [EvalUsageDayType], resolve: ({ days }) => days }),
  }),
})

builder.queryFields((t) => ({
  [readEntitlements.name]: t.field({
    type: EntitlementsType,
    args: { subscriberId: t.arg.id({ required: true }) },
    resolve: (_root, { subscriberId }, context) =>
      context.evaluate(readEntitlements, { subscriber_id: String(subscriberId) }, {}),
  }),
  [checkEntitlement.name]: t.field({
    type: EntitlementType,
    args: { subscriberId: t.arg.id({ required: true }), feature: t.arg.id({ required: true }) },
    resolve: async (_root, { subscriberId, feature }, context) => {
      const { entitlements } = await context.evaluate(
        checkEntitlement,
        { subscriber_id: String(subscriberId) },
        { feature: String(feature) },
      )
      return entitlements.toArray()[0] as Entitlement
    },
  }),
  [readEvalUsage.name]: t.field({
    type: EvalUsageType,
    args: { month: t.arg.string({ description: 'Such as 2026-11; this month when left out.' }) },
    resolve: (_root, { month }, context) => context.read(readEvalUsage, {}, month == null ? {} : { month }),
  }),
}))
