import { z } from 'zod'
import { highestCaps } from '../../src/config-values.ts'
import type { Snapshot } from '../../src/modules/entitlements/entitlement.ts'
import { evaluate } from '../../src/modules/entitlements/evaluate.ts'
import { defineEval } from '../../src/operation/operation.ts'
import { defineContext } from './context.ts'
import { flagFacts } from './facts.ts'
import { bulkFailures } from './failures.ts'
import { evaluationSuccess } from './flag.ts'

const bulkEvaluationSuccess = z
  .strictObject({ flags: z.array(evaluationSuccess).max(highestCaps.features).describe('One for each feature.') })
  .meta({ id: 'bulkEvaluationSuccess', description: 'Every feature of the catalog as a flag, newest feature first.' })

/** A snapshot, in the form of OFREP. */
export const evaluateFlags = defineEval({
  ...flagFacts,
  name: 'evaluateFlags',
  summary: 'Evaluate every feature of the catalog as a flag of OpenFeature. Counts as one eval.',
  route: '/ofrep/v1/evaluate/flags',
  input: defineContext('bulkEvaluationRequest'),
  answer: { schema: bulkEvaluationSuccess },
  hasEtag: true,
  refusesAs: bulkFailures,
  run: ({ gate, caller, input }): Promise<Snapshot> => evaluate(gate, caller, { ...input, features: null }),
})
