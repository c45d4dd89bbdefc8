import type { Count } from '../../core/count.ts'
import { notFound } from '../../core/errors.ts'
import { type Field, fieldsOf } from '../../core/field-type.ts'
import { loadActors } from '../../modules/members/acting-member.ts'
import { loadOverrideCounts } from '../../modules/overrides/count-overrides.ts'
import { deleteOverride } from '../../modules/overrides/delete-override.ts'
import {
  cursorOf,
  listAllOverrides,
  overrideFilterShape,
  toCursor,
} from '../../modules/overrides/list-all-overrides.ts'
import { type Override, overrideAnswer } from '../../modules/overrides/override.ts'
import { putOverride } from '../../modules/overrides/put-override.ts'
import {
  listOverrides,
  loadOverrides,
  loadOverridesOfFeature,
  readOverride,
} from '../../modules/overrides/read-overrides.ts'
import { loadSubscribers, readSubscriber } from '../../modules/subscribers/read-subscribers.ts'
import { builder } from '../builder.ts'
import { argsOf, defineInputType, withoutNulls } from '../input-type.ts'
import { defineMutation } from '../mutation.ts'
import { answerFields } from '../output-type.ts'
import { defineConnection, pageArgs, pageComplexity, readArgs, toConnection } from '../page.ts'
import { CountType } from './counts.ts'
import { FeatureType } from './features.ts'
import { ActingMemberType } from './members.ts'
import { SubscriberType } from './subscribers.ts'

export const OverrideType = builder.prismaObject('Override', {
  description: overrideAnswer.description,
  fields: (t) => ({
    ...answerFields(t, overrideAnswer),
    setBy: t.field({
      type: ActingMemberType,
      nullable: true,
      description: 'Who last put it; null when that is not known.',
      resolve: async ({ setBy }, _args, context, info) =>
        (setBy && (await context.nested(info, setBy, loadActors))) || null,
    }),
    subscriber: t.field({
      type: SubscriberType,
      labels: readSubscriber.labels,
      description: 'Whose override it is.',
      resolve: async ({ subscriberId }, _args, context, info) => {
        const subscriber = await context.nested(info, subscriberId, loadSubscribers)
        if (!subscriber) throw notFound('subscriber', subscriberId)
        return subscriber
      },
    }),
  }),
})

const OverrideConnection = defineConnection<Override>('Override', OverrideType)

const OverrideFilterInput = defineInputType('OverrideFilter', fieldsOf(overrideFilterShape), {
  description: 'All combined with AND.',
})

builder.queryFields((t) => ({
  overrides: t.field({
    type: OverrideConnection,
    description: listAllOverrides.summary,
    args: builder.args((t) => ({
      filter: t.field({ type: OverrideFilterInput }),
      ...argsOf(new Map([['order', listAllOverrides.input.fields.get('order') as Field]])),
      ...pageArgs,
    })),
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...args }, context) => {
      const input = withoutNulls({ ...(filter ?? {}), ...args })
      const page = await context.run(listAllOverrides, input)
      const { order } = await readArgs(listAllOverrides, args)
      return toConnection(page, args, (override) => toCursor(cursorOf(order, override)))
    },
  }),
}))

builder.prismaObjectFields(SubscriberType, (t) => ({
  overrides: t.field({
    type: [OverrideType],
    labels: listOverrides.labels,
    description: 'Newest first; expired ones only on request.',
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
    description: 'The override for one feature, expired or not.',
    args: { feature: t.arg.id({ required: true, description: "The feature's key." }) },
    resolve: async ({ id }, { feature }, context, info) => {
      const override = await context.nested(info, id, (scope, ids) => loadOverridesOfFeature(scope, ids, feature))
      if (!override) throw notFound('override', feature)
      return override
    },
  }),
}))

builder.prismaObjectFields(FeatureType, (t) => ({
  overrideCount: t.field({
    type: CountType,
    labels: listAllOverrides.labels,
    description: 'How many live overrides there are for it.',
    resolve: ({ key }, _args, context, info) => context.nested(info, key, loadOverrideCounts) as Promise<Count>,
  }),
}))

defineMutation(putOverride, {
  type: OverrideType,
})

defineMutation(deleteOverride, {
  type: 'ID',
  note: 'Answers the key of the feature.',
})
