import { notFound } from '../../core/errors.ts'
import { deleteOverride } from '../../modules/overrides/delete-override.ts'
import { overrideAnswer } from '../../modules/overrides/override.ts'
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
import { answerFields } from '../output-type.ts'
import { readArgs } from '../page.ts'
import { SubscriberType } from './subscribers.ts'

const OverrideType = builder.prismaObject('Override', {
  description: overrideAnswer.description,
  fields: (t) => answerFields(t, overrideAnswer),
})

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

defineMutation(putOverride, {
  type: OverrideType,
})

defineMutation(deleteOverride, {
  type: 'ID',
  note: 'Answers the key of the feature.',
})
