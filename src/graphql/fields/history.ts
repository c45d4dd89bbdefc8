import type { Entitlement } from '../../gate/resolution/entitlement.ts'
import { type FieldItem, fieldItemAnswer, type HistoryItem, historyItemAnswer } from '../../modules/history/history.ts'
import {
  loadFeatureHistories,
  loadPlanHistories,
  readFeatureHistory,
  readPlanHistory,
} from '../../modules/history/read-field-history.ts'
import { loadSubscriberHistories, readSubscriberHistory } from '../../modules/history/read-subscriber-history.ts'
import { pastReadRate } from '../../modules/past/past-read-rate.ts'
import { builder } from '../builder.ts'
import { defineType } from '../output-type.ts'
import { connectionOf, type PageArguments, pageArgs, pageComplexity, readArgs, toConnection } from '../page.ts'
import { markNestedOnly } from '../root-fields.ts'
import { EntitlementType } from './entitlements.ts'
import { FeatureType } from './features.ts'
import { ActingMemberType } from './members.ts'
import { PlanType } from './plans.ts'
import { SubscriberType } from './subscribers.ts'

const PastEntitlementType = builder.objectRef<Entitlement>('PastEntitlement').implement({
  description: 'An entitlement in the past.',
  fields: (t) => ({
    entitlement: t.field({
      type: EntitlementType,
      description: 'What a check answered.',
      resolve: (entitlement) => entitlement,
    }),
    tooLarge: t.boolean({
      description: 'Always false.',
      deprecationReason: 'The history now contains every value, whatever its size.',
      resolve: () => false,
    }),
  }),
})

const HistoryItemType = defineType(historyItemAnswer, {
  except: ['from', 'to', 'by'],
  fields: (t) => ({
    from: t.field({
      type: PastEntitlementType,
      nullable: true,
      description: 'What a check answered just before the change; null when the subscriber was created.',
      resolve: ({ from }) => from,
    }),
    to: t.field({
      type: PastEntitlementType,
      nullable: true,
      description: 'What a check answered after the change; null when the subscriber was created.',
      resolve: ({ to }) => to,
    }),
    by: t.field({
      type: ActingMemberType,
      nullable: true,
      description: 'Who changed it, if known; null for an expiry.',
      resolve: ({ by }) => by,
    }),
  }),
})

const FieldItemType = defineType(fieldItemAnswer, {
  except: ['by'],
  fields: (t) => ({
    by: t.field({
      type: ActingMemberType,
      nullable: true,
      description: 'Who changed it, if known.',
      resolve: ({ by }) => by,
    }),
  }),
})

markNestedOnly(readSubscriberHistory)
markNestedOnly(readFeatureHistory)
markNestedOnly(readPlanHistory)

/** High, because each history is read separately, with several statements. */
const historyCost = 500
const complexity = (args: PageArguments) => ({ ...pageComplexity(args), field: historyCost })
const emptyPage = { items: [], hasMore: false }
const cursorOf = ({ id }: HistoryItem | FieldItem) => id

builder.prismaObjectFields(SubscriberType, (t) => ({
  history: t.field({
    type: connectionOf(HistoryItemType),
    labels: readSubscriberHistory.labels,
    description: "The changes to the subscriber's entitlements, newest first.",
    args: { feature: t.arg.id({ description: 'The key of a feature: only changes to this feature.' }), ...pageArgs },
    complexity,
    resolve: async ({ id }, args, context, info) => {
      const input = await readArgs(readSubscriberHistory, args)
      context.consumeRate(pastReadRate)
      const page = await context.nested(info, id, (scope, ids) => loadSubscriberHistories(scope, ids, input))
      return toConnection(page ?? emptyPage, args, cursorOf)
    },
  }),
}))

builder.prismaObjectFields(FeatureType, (t) => ({
  history: t.field({
    type: connectionOf(FieldItemType),
    labels: readFeatureHistory.labels,
    description: "The changes to the feature's fields, newest first.",
    args: {
      withPlans: t.arg.boolean({
        description: "Whether to include the changes of plans' grants for the feature. If left out: false.",
      }),
      ...pageArgs,
    },
    complexity,
    resolve: async ({ key }, args, context, info) => {
      const input = await readArgs(readFeatureHistory, args)
      context.consumeRate(pastReadRate)
      const page = await context.nested(info, key, (scope, keys) => loadFeatureHistories(scope, keys, input))
      return toConnection(page ?? emptyPage, args, cursorOf)
    },
  }),
}))

builder.prismaObjectFields(PlanType, (t) => ({
  history: t.field({
    type: connectionOf(FieldItemType),
    labels: readPlanHistory.labels,
    description: "The changes to the plan's fields and grants, newest first.",
    args: pageArgs,
    complexity,
    resolve: async ({ key }, args, context, info) => {
      const input = await readArgs(readPlanHistory, args)
      context.consumeRate(pastReadRate)
      const page = await context.nested(info, key, (scope, keys) => loadPlanHistories(scope, keys, input))
      return toConnection(page ?? emptyPage, args, cursorOf)
    },
  }),
}))
