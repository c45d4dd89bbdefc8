import {
  type ExplainedFeature,
  type Explanation,
  explainedFeatureAnswer,
  explanationAnswer,
} from '../../modules/entitlements/explanation.ts'
import { readExplanation } from '../../modules/entitlements/read-explanation.ts'
import { builder } from '../builder.ts'
import { argsOf, withoutNulls } from '../input-type.ts'
import { answerFields } from '../output-type.ts'
import { EntitlementType } from './entitlements.ts'
import { OverrideType } from './overrides.ts'
import { GrantType } from './plans.ts'

const ExplainedFeatureType = builder.objectRef<ExplainedFeature>('ExplainedFeature').implement({
  description: explainedFeatureAnswer.description,
  fields: (t) => ({
    ...answerFields(t, explainedFeatureAnswer, { except: ['entitlement', 'override', 'plan_grant', 'beneath'] }),
    entitlement: t.field({
      type: EntitlementType,
      description: 'Exactly what a check answers.',
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
      description: 'What the plan grants, if it does.',
      resolve: ({ planGrant }) => planGrant,
    }),
    beneath: t.field({
      type: EntitlementType,
      nullable: true,
      description: 'What a check would answer without the override; null without one.',
      resolve: ({ beneath }) => beneath,
    }),
  }),
})

const ExplanationType = builder.objectRef<Explanation>('Explanation').implement({
  description: explanationAnswer.description,
  fields: (t) => ({
    ...answerFields(t, explanationAnswer, { except: ['items'] }),
    items: t.field({
      type: [ExplainedFeatureType],
      description: 'One for each feature, in the order of a snapshot.',
      resolve: ({ items }) => items,
    }),
  }),
})

builder.queryFields((t) => ({
  [readExplanation.name]: t.field({
    type: ExplanationType,
    description: `${readExplanation.summary} No eval.`,
    args: { subscriberId: t.arg.id({ required: true }), ...argsOf(readExplanation.input.fields) },
    resolve: (_root, args, context) => context.run(readExplanation, withoutNulls(args)),
  }),
}))
