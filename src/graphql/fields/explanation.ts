import { fieldOf } from '../../core/field-type.ts'
import {
  type ExplainedFeature,
  type ExplainedItem,
  explainedFeatureAnswer,
  explanationAnswer,
  isUnknown,
} from '../../modules/entitlements/explanation.ts'
import { readExplanation } from '../../modules/entitlements/read-explanation.ts'
import { featureKind } from '../../modules/features/feature.ts'
import { builder, enumOf } from '../builder.ts'
import { defineType, shows } from '../output-type.ts'
import { special } from '../root-fields.ts'
import { EntitlementType } from './entitlements.ts'
import { OverrideType } from './overrides.ts'
import { GrantType } from './plans.ts'

/** Null for an unknown item. */
function known<Name extends keyof ExplainedFeature>(name: Name) {
  return (item: ExplainedItem) => (isUnknown(item) ? null : item[name])
}

const kind = fieldOf(featureKind()).type

const ExplainedFeatureType = builder.objectRef<ExplainedItem>(explainedFeatureAnswer.name).implement({
  description: explainedFeatureAnswer.description,
  fields: (t) => ({
    feature: t.exposeID('key', { description: "The feature's key." }),
    unknown: t.boolean({
      description:
        'Whether the audit log does not have what is needed for this past moment; the other fields are null then.',
      resolve: isUnknown,
    }),
    kind: t.field({
      type: enumOf(kind as Parameters<typeof enumOf>[0]),
      nullable: true,
      description: "The feature's kind.",
      resolve: known('kind'),
    }),
    entitlement: t.field({
      type: EntitlementType,
      nullable: true,
      description: 'Exactly what a check answers.',
      resolve: known('entitlement'),
    }),
    override: t.field({
      type: OverrideType,
      nullable: true,
      description: 'The live override, if there is one.',
      resolve: known('override'),
    }),
    planGrant: t.field({
      type: GrantType,
      nullable: true,
      description: 'What the plan grants, if anything.',
      resolve: known('planGrant'),
    }),
    beneath: t.field({
      type: EntitlementType,
      nullable: true,
      description: 'What a check would answer without the override; null without one.',
      resolve: known('beneath'),
    }),
  }),
})

shows(ExplainedFeatureType, explainedFeatureAnswer)

defineType(explanationAnswer, {
  except: ['items'],
  fields: (t) => ({
    items: t.field({
      type: [ExplainedFeatureType],
      description: 'One for each feature, in the order of a snapshot.',
      resolve: ({ items }) => items,
    }),
  }),
})

special(readExplanation, { note: 'Does not count as an eval.' })
