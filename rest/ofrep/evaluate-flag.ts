import type { CheckResult } from '../../src/modules/entitlements/entitlement.ts'
import { evaluate } from '../../src/modules/entitlements/evaluate.ts'
import { defineEval } from '../../src/operation/operation.ts'
import { defineContext } from './context.ts'
import { flagFailures } from './failures.ts'
import { evaluationSuccess } from './flag.ts'
import { flagDefinition } from './flag-definition.ts'

/** A check of one feature, in the format of OFREP. */
export const evaluateFlag = defineEval({
  ...flagDefinition,
  name: 'evaluateFlag',
  summary: 'Evaluate one feature as a flag of OpenFeature. Counts as one eval.',
  route: '/ofrep/v1/evaluate/flags/{key}',
  input: defineContext('evaluationRequest'),
  answer: { schema: evaluationSuccess },
  refusesAs: flagFailures,
  async run({ gate, caller, path, input }): Promise<CheckResult> {
    const request = { ...input, features: [path.key] }
    const { entitlements } = await evaluate(gate, caller, request, () => 'flag')
    return { entitlements, isList: false }
  },
})
