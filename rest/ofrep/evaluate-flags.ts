import { z } from 'zod'
import type { TokenSubject } from '../../src/access/subscriber-token.ts'
import type { ChangeFeed } from '../../src/changes/feed.ts'
import type { Cursor } from '../../src/changes/position.ts'
import { maxCaps } from '../../src/config-values.ts'
import { textField } from '../../src/core/answer-fields.ts'
import { DeadlineExceeded, withDeadline } from '../../src/core/deadline.ts'
import { isOutage } from '../../src/database/outage.ts'
import type { Snapshot } from '../../src/modules/entitlements/entitlement.ts'
import { evaluate } from '../../src/modules/entitlements/evaluate.ts'
import { defineEval } from '../../src/operation/operation.ts'
import { defineContext } from './context.ts'
import { bulkFailures } from './failures.ts'
import { evaluationSuccess } from './flag.ts'
import { flagDefinition } from './flag-definition.ts'

const eventStream = z.strictObject({
  type: z.literal('sse'),
  url: textField(1, 16_384).describe(
    'The address of the stream. It can be opened for five minutes, and needs no header.',
  ),
})

const bulkEvaluationSuccess = z
  .strictObject({
    flags: z.array(evaluationSuccess).max(maxCaps.features).describe('An entitlement for each feature.'),
    eventStreams: z
      .array(eventStream)
      .length(1)
      .optional()
      .describe(
        "Only for a subscriber's token: a stream that says when to evaluate again. The `ETag` does not cover it.",
      ),
  })
  .meta({ id: 'bulkEvaluationSuccess', description: 'Every feature of the catalog as a flag, newest feature first.' })

/** The time limit for reading the cursor. */
const maxCursorMs = 1_000

/** `stream`: the subscriber whose changes the client may follow, and the cursor to start from. */
export type Flags = Snapshot & { stream: { tokenSubject: TokenSubject; after: Cursor } | null }

/** A snapshot, in the format of OFREP. */
export const evaluateFlags = defineEval({
  ...flagDefinition,
  name: 'evaluateFlags',
  summary: 'Evaluate every feature of the catalog as a flag of OpenFeature. Counts as one eval.',
  route: '/ofrep/v1/evaluate/flags',
  input: defineContext('bulkEvaluationRequest'),
  answer: { schema: bulkEvaluationSuccess },
  hasEtag: true,
  refusesAs: bulkFailures,
  async run({ gate, changes, caller, input }): Promise<Flags> {
    const { tokenSubject } = caller
    // Read the cursor before the flags, so that the stream has all changes that the flags do not show.
    const stream = tokenSubject ? await findStream(tokenSubject, changes) : null
    return { ...(await evaluate(gate, caller, { ...input, features: null })), stream }
  },
})

/** Null if the primary database is unavailable: evals continue without it, but changes cannot be followed. */
async function findStream(tokenSubject: TokenSubject, changes: ChangeFeed): Promise<Flags['stream']> {
  try {
    return { tokenSubject, after: await withDeadline(performance.now() + maxCursorMs, changes.cursor.read()) }
  } catch (error) {
    if (error instanceof DeadlineExceeded || isOutage(error)) return null
    throw error
  }
}
