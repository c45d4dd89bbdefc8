import { z } from 'zod'
import { asScalar } from '../../core/field-type.ts'
import { keyPattern } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { refuse } from '../../core/issues.ts'
import { defineEval } from '../../operation/operation.ts'
import { type CheckResult, checkAnswer, maxCheckedFeatures } from './entitlement.ts'
import { evalDefinition, evaluate } from './evaluate.ts'

const feature = asScalar('ID', z.string().min(1).describe('the key of a feature').meta({ pattern: keyPattern.source }))

const features = z
  .array(feature)
  .min(1)
  .max(maxCheckedFeatures)
  .superRefine((keys, context) => {
    if (new Set(keys).size === keys.length) return
    for (const [index, key] of keys.entries()) {
      if (keys.indexOf(key) < index) refuse(context, `repeats "${key}".`, [String(index)])
    }
  })
  .describe(`a list of 1 to ${maxCheckedFeatures} different keys of features`)

/** Checks whether a subscriber may use a feature, and how much of it. One eval can check one feature or several. */
export const checkEntitlement = defineEval({
  ...evalDefinition,
  name: 'check',
  summary: 'Check whether a subscriber may use a feature, or several, and how much. Counts as one eval.',
  method: 'POST',
  route: '/org/subscribers/{subscriber_id}/entitlements/check',
  input: defineInput(
    { feature, features: features.optional() },
    {
      unknown: 'ignore',
      // `feature` is required unless `features` replaces it.
      rules(body, report) {
        if (!Object.hasOwn(body, 'features')) return
        if (Object.hasOwn(body, 'feature')) report('features', 'Send feature or features, not both.')
        report('feature', null)
      },
      variants: { fields: { feature: ['feature'], features: ['features'] } },
    },
  ),
  about: `With \`feature\` the answer is that feature's entitlement; with \`features\`, \`{ entitlements }\`. ${evalDefinition.about}`,
  answer: checkAnswer,
  refusals: ['RATE_LIMITED', 'CONFLICT'],
  async run({ gate, caller, path, input }): Promise<CheckResult> {
    const isList = input.features !== undefined
    const request = { subscriberId: path.subscriber_id, features: input.features ?? [input.feature] }
    const pathOf = (index: number) => (isList ? `features.${index}` : 'feature')
    const { entitlements } = await evaluate(gate, caller, request, pathOf)
    return { entitlements, isList }
  },
})
