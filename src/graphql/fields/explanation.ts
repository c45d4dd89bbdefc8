import { explainedFeatureAnswer, explanationAnswer } from '../../modules/entitlements/explanation.ts'
import { readExplanation } from '../../modules/entitlements/read-explanation.ts'
import { defineType } from '../output-type.ts'
import { adjustRootField } from '../root-fields.ts'
import { EntitlementType } from './entitlements.ts'
import { OverrideType } from './overrides.ts'
import { GrantType } from './plans.ts'

const ExplainedFeatureType = defineType(explainedFeatureAnswer, {
  except: ['entitlement', 'override', 'plan_grant', 'beneath'],
  fields: (t) => ({
    unknown: t.boolean({
      description: 'Always false.',
      deprecationReason: 'The history is now complete, so no past state is unknown.',
      resolve: () => false,
    }),
    entitlement: t.field({
      type: EntitlementType,
      description: 'The entitlement, as a check would return it.',
      resolve: ({ entitlement }) => entitlement,
    }),
    override: t.field({
      type: OverrideType,
      nullable: true,
      description: 'The live override, if there is one.',
      resolve: ({ override }) => override,
    }),
    planGrant: t.field({
      type: GrantType,
      nullable: true,
      description: 'What the plan grants, if anything.',
      resolve: ({ planGrant }) => planGrant,
    }),
    beneath: t.field({
      type: EntitlementType,
      nullable: true,
      description: 'What a check would answer without the override; null if there is no override.',
      resolve: ({ beneath }) => beneath,
    }),
  }),
})

defineType(explanationAnswer, {
  except: ['items'],
  fields: (t) => ({
    items: t.field({
      type: [ExplainedFeatureType],
      description: 'An item for each feature, in the order of a snapshot.',
      resolve: ({ items }) => items,
    }),
  }),
})

adjustRootField(readExplanation, { note: 'Does not count as an eval.' })
