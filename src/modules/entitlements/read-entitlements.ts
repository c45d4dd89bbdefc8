import { noInput } from '../../core/input.ts'
import { defineEval } from '../../operation/operation.ts'
import { type Snapshot, snapshotAnswer } from './entitlement.ts'
import { evalFacts, evaluate } from './evaluate.ts'

/** Every feature of the catalog for one subscriber. */
export const readEntitlements = defineEval({
  ...evalFacts,
  name: 'entitlements',
  summary: 'Read everything that a subscriber may do. Counts as one eval.',
  method: 'GET',
  route: '/org/subscribers/{subscriber_id}/entitlements',
  input: noInput,
  answer: snapshotAnswer,
  refusals: ['RATE_LIMITED', 'CONFLICT'],
  run: ({ gate, caller, path }): Promise<Snapshot> =>
    evaluate(gate, caller, { subscriberId: path.subscriber_id, features: null }),
})
