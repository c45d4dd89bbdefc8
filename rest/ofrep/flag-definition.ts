import { evalDefinition } from '../../src/modules/entitlements/evaluate.ts'
import { targetingKeyMissing } from './failures.ts'

/** The parts that the definitions of both evaluations share. */
export const flagDefinition = {
  ...evalDefinition,
  method: 'POST',
  about:
    'Part of OFREP 0.3.0, the protocol that every OpenFeature SDK speaks. The key may also be sent as ' +
    '`Authorization: Bearer`. Once the organization has used its monthly allotment of evals, the answer is 400 `GENERAL`.',
  tokens: 'either_header',
  refusals: ['RATE_LIMITED', 'CONFLICT', 'NOT_FOUND', targetingKeyMissing],
} as const
