import type { Field, Fields } from '../../core/field-type.ts'
import { pauseAfterSlices } from '../../fairness/loop-slices.ts'
import type { Entitlement } from '../../gate/resolution/entitlement.ts'
import type { ResolvedEntitlements } from '../../gate/resolution/resolved-entitlements.ts'
import { checkEntitlement } from '../../modules/entitlements/check.ts'
import { subscriberTokenAnswer } from '../../modules/entitlements/create-subscriber-token.ts'
import {
  entitlementAnswer,
  evalUsageAnswer,
  evalUsageDayAnswer,
  snapshotAnswer,
} from '../../modules/entitlements/entitlement.ts'
import { readEntitlements } from '../../modules/entitlements/read-entitlements.ts'
import {
  bulkSnapshotsAnswer,
  maxSnapshots,
  readManyEntitlements,
} from '../../modules/entitlements/read-many-entitlements.ts'
import { builder } from '../builder.ts'
import type { GraphqlContext } from '../context.ts'
import { argsOf } from '../input-type.ts'
import { defineType, descriptionOf } from '../output-type.ts'
import { adjustRootField } from '../root-fields.ts'

export const EntitlementType = defineType(entitlementAnswer)

const SnapshotType = defineType(snapshotAnswer, {
  except: ['entitlements'],
  fields: (t) => ({
    entitlements: t.field({
      type: [EntitlementType],
      description: descriptionOf(snapshotAnswer, 'entitlements'),
      resolve: ({ entitlements }, _args, { owner }) => toArray(entitlements, owner),
    }),
  }),
})

defineType(bulkSnapshotsAnswer, {
  except: ['snapshots'],
  fields: (t) => ({
    snapshots: t.field({
      type: [SnapshotType],
      description: descriptionOf(bulkSnapshotsAnswer, 'snapshots'),
      complexity: { multiplier: maxSnapshots },
      resolve: ({ snapshots }) => snapshots,
    }),
  }),
})

adjustRootField(readManyEntitlements, {
  args: argsOf(readManyEntitlements.input.fields),
  resolve: (_root, args: object, context: GraphqlContext) => context.run(readManyEntitlements, args),
})

// Only the REST API signs snapshots.
adjustRootField(readEntitlements, { args: argsOf(new Map(), readEntitlements.route) })

defineType(subscriberTokenAnswer)

const EvalUsageDayType = defineType(evalUsageDayAnswer)

defineType(evalUsageAnswer, {
  except: ['days'],
  fields: (t) => ({
    days: t.field({
      type: [EvalUsageDayType],
      description: descriptionOf(evalUsageAnswer, 'days'),
      resolve: ({ days }) => days,
    }),
  }),
})

/** Pauses after a loop slice, because the gate answers many aliases at once, and each may contain the whole catalog. */
async function toArray(entitlements: ResolvedEntitlements, owner: string): Promise<Entitlement[]> {
  await pauseAfterSlices(owner)()
  return entitlements.toArray()
}

/** The arguments of a check with only one of the body's two fields, which is then required. */
function checkArguments(name: 'feature' | 'features') {
  const field = checkEntitlement.input.fields.get(name) as Field
  const fields: Fields = new Map([[name, { ...field, isOptional: false }]])
  return argsOf(fields, checkEntitlement.route)
}

adjustRootField(checkEntitlement, {
  type: EntitlementType,
  note: 'To check several features, use `checks`.',
  args: checkArguments('feature'),
  async resolve(_root, args: object, context: GraphqlContext) {
    const { entitlements } = await context.run(checkEntitlement, args)
    return entitlements.toArray()[0] as Entitlement
  },
})

builder.queryField('checks', (t) =>
  t.field({
    type: [EntitlementType],
    description: 'Check several features of a subscriber, in the requested order. Counts as one eval.',
    args: checkArguments('features'),
    resolve: async (_root, args, context) =>
      toArray((await context.run(checkEntitlement, args)).entitlements, context.owner),
  }),
)
