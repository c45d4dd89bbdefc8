import type { Field, Fields } from '../../core/field-type.ts'
import type { EvalUsage } from '../../gate/eval-usage.ts'
import type { Entitlement } from '../../gate/resolution/entitlement.ts'
import { checkEntitlement } from '../../modules/entitlements/check.ts'
import {
  entitlementAnswer,
  evalUsageAnswer,
  evalUsageDayAnswer,
  type Snapshot,
  snapshotAnswer,
} from '../../modules/entitlements/entitlement.ts'
import { readEntitlements } from '../../modules/entitlements/read-entitlements.ts'
import { readEvalUsage } from '../../modules/entitlements/read-eval-usage.ts'
import { builder } from '../builder.ts'
import { argsOf, withoutNulls } from '../input-type.ts'
import { answerFields } from '../output-type.ts'

export const EntitlementType = builder.objectRef<Entitlement>('Entitlement').implement({
  description: entitlementAnswer.description,
  fields: (t) => answerFields(t, entitlementAnswer),
})

const EntitlementsType = builder.objectRef<Snapshot>('Entitlements').implement({
  description: snapshotAnswer.description,
  fields: (t) => ({
    ...answerFields(t, snapshotAnswer, { except: ['entitlements'] }),
    entitlements: t.field({ type: [EntitlementType], resolve: ({ entitlements }) => entitlements.toArray() }),
  }),
})

const EvalUsageDayType = builder.objectRef<EvalUsage['days'][number]>('EvalUsageDay').implement({
  description: evalUsageDayAnswer.description,
  fields: (t) => answerFields(t, evalUsageDayAnswer),
})

const EvalUsageType = builder.objectRef<EvalUsage>('EvalUsage').implement({
  description: evalUsageAnswer.description,
  fields: (t) => ({
    ...answerFields(t, evalUsageAnswer, { except: ['days'] }),
    days: t.field({ type: [EvalUsageDayType], resolve: ({ days }) => days }),
  }),
})

/** One field of the body of a check; here it is required, because the other one has a field of its own. */
function only(name: 'feature' | 'features'): Fields {
  const field = checkEntitlement.input.fields.get(name) as Field
  return new Map([[name, { ...field, isOptional: false }]])
}

builder.queryFields((t) => ({
  [readEntitlements.name]: t.field({
    type: EntitlementsType,
    description: readEntitlements.summary,
    args: { subscriberId: t.arg.id({ required: true }) },
    resolve: (_root, { subscriberId }, context) => context.run(readEntitlements, { subscriberId }),
  }),
  [checkEntitlement.name]: t.field({
    type: EntitlementType,
    description: `${checkEntitlement.summary} For several: \`checks\`.`,
    args: {
      subscriberId: t.arg.id({ required: true }),
      ...argsOf(only('feature')),
    },
    resolve: async (_root, args, context) => {
      const { entitlements } = await context.run(checkEntitlement, args)
      return entitlements.toArray()[0] as Entitlement
    },
  }),
  checks: t.field({
    type: [EntitlementType],
    description: 'Check several features of a subscriber, in the requested order. Counts as one eval.',
    args: {
      subscriberId: t.arg.id({ required: true }),
      ...argsOf(only('features')),
    },
    resolve: async (_root, args, context) => (await context.run(checkEntitlement, args)).entitlements.toArray(),
  }),
  [readEvalUsage.name]: t.field({
    type: EvalUsageType,
    description: readEvalUsage.summary,
    args: argsOf(readEvalUsage.input.fields),
    resolve: (_root, args, context) => context.run(readEvalUsage, withoutNulls(args)),
  }),
}))
