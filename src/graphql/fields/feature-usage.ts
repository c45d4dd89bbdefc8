import { loadDenials } from '../../gate/feature-usage/load-feature-usage.ts'
import {
  deniedSubscriberAnswer,
  featureUsageAnswer,
  readDenials,
  toPeriod,
  usedDayAnswer,
  usedFeatureAnswer,
} from '../../modules/entitlements/read-feature-usage.ts'
import { builder } from '../builder.ts'
import { argsOf } from '../input-type.ts'
import { defineType } from '../output-type.ts'
import { readArgs } from '../page.ts'
import { markNestedOnly } from '../root-fields.ts'
import { FeatureType } from './features.ts'

const FeatureUsageDayType = defineType(usedDayAnswer)

const FeatureUsageType = defineType(usedFeatureAnswer, {
  except: ['days'],
  fields: (t) => ({
    days: t.field({
      type: [FeatureUsageDayType],
      description: 'The days on which the feature was checked, oldest first.',
      resolve: ({ days }) => days,
    }),
  }),
})

defineType(featureUsageAnswer, {
  except: ['features'],
  fields: (t) => ({
    features: t.field({
      type: [FeatureUsageType],
      description: 'The checked features, most frequent first.',
      resolve: ({ features }) => features,
    }),
  }),
})

const DeniedSubscriberType = defineType(deniedSubscriberAnswer)

markNestedOnly(readDenials)

builder.prismaObjectFields(FeatureType, (t) => ({
  denials: t.field({
    type: [DeniedSubscriberType],
    labels: readDenials.labels,
    description: 'The twenty subscribers who were denied the feature most often, approximately.',
    args: argsOf(readDenials.input.fields),
    resolve: async ({ key }, args, context, info) => {
      const input = await readArgs(readDenials, args)
      const denials = await context.nested(info, key, ({ db, organizationId, now }, keys) =>
        loadDenials(db, { organizationId, ...toPeriod(input, now) }, keys),
      )
      return denials ?? []
    },
  }),
}))
