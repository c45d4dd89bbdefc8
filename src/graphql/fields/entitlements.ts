import { StoredJson } from '../../core/stored-json.ts'
import type { Entitlement } from '../../gate/entitlement.ts'
import type { EvalUsage } from '../../gate/eval-usage.ts'
import type { Snapshot } from '../../modules/entitlements/entitlement.ts'
import { checkEntitlement, readEntitlements } from '../../modules/entitlements/read-entitlements.ts'
import { readEvalUsage } from '../../modules/entitlements/read-eval-usage.ts'
import { builder, defineEnum } from '../builder.ts'
import { argsOf, withoutNulls } from '../input-type.ts'
import { FeatureKindEnum } from './features.ts'

const EntitlementSourceEnum = defineEnum(
  'EntitlementSource',
  ['override', 'plan', 'none'],
  'What an entitlement comes from: a live override, else the active plan, else nothing.',
)

const EntitlementType = builder.objectRef<Entitlement>('Entitlement').implement({
  description: 'What a subscriber may with one feature, as it stands now.',
  fields: (t) => ({
    feature: t.exposeID('feature', { description: "The feature's key." }),
    kind: t.field({ type: FeatureKindEnum, resolve: ({ kind }) => kind }),
    allowed: t.exposeBoolean('allowed', {
      description: "A flag's own; of a limit, granted and not 0; of a config, granted.",
    }),
    limit: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Of kind LIMIT alone; null there is unlimited, and 0 when nothing grants it.',
      resolve: (entitlement) => (entitlement.kind === 'limit' ? entitlement.limit : null),
    }),
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Of kind CONFIG alone; null when nothing grants it.',
      resolve: (entitlement) =>
        entitlement.kind === 'config' && entitlement.valueJson !== null ? new StoredJson(entitlement.valueJson) : null,
    }),
    source: t.field({ type: EntitlementSourceEnum, resolve: ({ source }) => source }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: "The override's, when that is the source.",
      resolve: ({ expiresAt }) => expiresAt,
    }),
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
  description: 'A day (UTC) with evals.',
  fields: (t) => ({ date: t.exposeString('date'), used: t.expose('used', { type: 'SafeInt' }) }),
})

const EvalUsageType = builder.objectRef<EvalUsage>('EvalUsage').implement({
  description: 'The evals of a calendar month.',
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
    description: 'Everything that a subscriber may. Counts as one eval.',
    args: { subscriberId: t.arg.id({ required: true }) },
    resolve: (_root, { subscriberId }, context) => context.run(readEntitlements, { subscriberId }),
  }),
  [checkEntitlement.name]: t.field({
    type: EntitlementType,
    description: 'May this subscriber use this feature, and how much? Counts as one eval.',
    args: {
      subscriberId: t.arg.id({ required: true }),
      ...argsOf(checkEntitlement.input.fields),
    },
    resolve: async (_root, args, context) => {
      const { entitlements } = await context.run(checkEntitlement, args)
      return entitlements.toArray()[0] as Entitlement
    },
  }),
  [readEvalUsage.name]: t.field({
    type: EvalUsageType,
    description: 'How many evals the organization used in a calendar month (UTC).',
    args: argsOf(readEvalUsage.input.fields),
    resolve: (_root, args, context) => context.run(readEvalUsage, withoutNulls(args)),
  }),
}))
