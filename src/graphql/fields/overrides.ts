import type { Count } from '../../core/count.ts'
import { notFound } from '../../core/errors.ts'
import { loadActors } from '../../modules/members/acting-member.ts'
import { loadOverrideCounts } from '../../modules/overrides/count-overrides.ts'
import { deleteOverride } from '../../modules/overrides/delete-override.ts'
import { cursorOf, listAllOverrides, toCursor } from '../../modules/overrides/list-all-overrides.ts'
import { overrideAnswer, overrideWithSetterAnswer } from '../../modules/overrides/override.ts'
import {
  listOverrides,
  loadOverrides,
  loadOverridesOfFeature,
  readOverride,
} from '../../modules/overrides/read-overrides.ts'
import { loadSubscribers, readSubscriber } from '../../modules/subscribers/read-subscribers.ts'
import { builder } from '../builder.ts'
import type { GraphqlContext } from '../context.ts'
import { argsOf, withoutNulls } from '../input-type.ts'
import { answerFields, registerType } from '../output-type.ts'
import { type PageArguments, readArgs, toConnection } from '../page.ts'
import { adjustRootField, markNestedOnly } from '../root-fields.ts'
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
      description: 'Who last set it, if known.',
      resolve: async ({ setBy }, _args, context, info) =>
        (setBy && (await context.nested(info, setBy, loadActors))) || null,
    }),
    subscriber: t.field({
      type: SubscriberType,
      labels: readSubscriber.labels,
      description: 'The subscriber who has the override.',
      resolve: async ({ subscriberId }, _args, context, info) => {
        const subscriber = await context.nested(info, subscriberId, loadSubscribers)
        if (!subscriber) throw notFound('subscriber', subscriberId)
        return subscriber
      },
    }),
  }),
})

registerType(OverrideType, overrideAnswer, overrideWithSetterAnswer)

adjustRootField(listAllOverrides, {
  name: 'overrides',
  directArgs: ['order'],
  async resolve(_root, { filter, ...args }: PageArguments & { filter?: object }, context: GraphqlContext) {
    const page = await context.run(listAllOverrides, withoutNulls({ ...filter, ...args }))
    const { order } = await readArgs(listAllOverrides, args)
    return toConnection(page, args, (override) => toCursor(cursorOf(order, override)))
  },
})

markNestedOnly(listOverrides, readOverride)

builder.prismaObjectFields(SubscriberType, (t) => ({
  overrides: t.field({
    type: [OverrideType],
    labels: listOverrides.labels,
    description:
      'The overrides, newest first. Expired ones, and ones that have not started, are listed only on request.',
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
    description: 'The override for one feature, live or not.',
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
    description: 'The number of live overrides of the feature.',
    resolve: ({ key }, _args, context, info) => context.nested(info, key, loadOverrideCounts) as Promise<Count>,
  }),
}))

adjustRootField(deleteOverride, { note: 'Returns the key of the feature.' })
