import { z } from 'zod'
import { defineAnswer, fieldFrom } from '../../core/answer.ts'
import { anyIdField } from '../../core/answer-fields.ts'
import { defineInput } from '../../core/input.ts'
import { refuse } from '../../core/issues.ts'
import { StoredJson } from '../../core/stored-json.ts'
import { pauseAfterSlices } from '../../fairness/loop-slices.ts'
import type { BulkRequest } from '../../gate/bulk/bulk-snapshots.ts'
import type { ResolvedEntitlements } from '../../gate/resolution/resolved-entitlements.ts'
import type { Limits } from '../../operation/limits.ts'
import { defineBulkEval } from '../../operation/operation.ts'
import { subscriberId } from '../subscribers/subscriber.ts'
import { type Snapshot, snapshotAnswer } from './entitlement.ts'
import { countBulkRequest, toAllotmentRefusal } from './evaluate.ts'

/** The maximum number of subscribers in a request. */
export const maxSnapshots = 100

/** `json` is the list of entitlements in the format of the REST API; null for GraphQL, which resolves their fields itself. */
type BulkSnapshot = Snapshot & { json: StoredJson | null }

export type BulkSnapshots = { snapshots: BulkSnapshot[]; unknown: string[]; left: string[] }

const idList = (description: string) => z.array(anyIdField()).max(maxSnapshots).describe(description)

export const bulkSnapshotsAnswer = defineAnswer<BulkSnapshots>(
  'EntitlementsOfMany',
  'The entitlements of several subscribers. Each requested id is in one of the three lists.',
  {
    snapshots: fieldFrom(
      ({ snapshots }: BulkSnapshots) =>
        snapshots.map(({ subscriberId, plan, entitlements, json }) => ({
          subscriber_id: subscriberId,
          plan,
          entitlements: json,
          valid_until: entitlements.validUntil,
        })),
      z.array(snapshotAnswer.schema).max(maxSnapshots).describe('The snapshots, in the order of the requested ids.'),
    ),
    unknown: idList('The requested ids that no subscriber has.'),
    left: idList(
      'The subscribers whose snapshots did not fit into the answer: request them again. They were not counted as evals.',
    ),
  },
)

const allowed = `a list of 1 to ${maxSnapshots} different subscriber ids`

const subscriberIds = z
  .array(subscriberId())
  .min(1)
  .max(maxSnapshots)
  .superRefine((ids, context) => {
    const repeated = ids.find((id, index) => ids.indexOf(id) < index)
    if (repeated !== undefined) refuse(context, `must be ${allowed}, but "${repeated}" is given twice.`)
  })
  .describe(allowed)

/** Reads the snapshots of many subscribers at once, for example after a product has started or a plan has changed. */
export const readManyEntitlements = defineBulkEval({
  name: 'entitlementsOf',
  summary: `Read everything that up to ${maxSnapshots} subscribers may do. Each snapshot counts as one eval.`,
  about:
    'The request counts as one of the evals per second, and each snapshot as one of the evals in the monthly allotment: 409 ' +
    '`CONFLICT`, `field` `evals`, if the allotment has fewer left. Unknown subscribers do not cause a 404. An answer has at ' +
    'most as many bytes as the server allows (`MAX_ANSWER_BYTES`), and at least one snapshot: request those in `left` ' +
    'again. The request requires a key.',
  route: '/org/entitlements',
  labels: ['entitlements:read'],
  input: defineInput({ subscriber_ids: subscriberIds }, { unknown: 'ignore' }),
  answer: bulkSnapshotsAnswer,
  refusals: ['RATE_LIMITED', 'CONFLICT'],
  async run({ gate, caller, organizationId, share, api, input, limits, answered }): Promise<BulkSnapshots> {
    await countBulkRequest(gate, caller)
    const { subscriber_ids: subscriberIds } = input
    const snapshots: BulkSnapshot[] = []
    const pause = pauseAfterSlices(share.owner)
    const isText = api === 'rest'
    const budget = isText ? { bytes: limits.maxAnswerBytes, items: Number.POSITIVE_INFINITY } : graphqlBudget(limits)
    budget.bytes -= JSON.stringify(subscriberIds).length + envelopeBytes
    const request: BulkRequest = {
      organizationId,
      share,
      subscriberIds,
      async take(subscriberId, { plan, entitlements }) {
        await pause()
        const json = isText ? new StoredJson(`[${await toText(entitlements)}]`) : null
        budget.bytes -= (json?.bytes ?? entitlements.approximateBytes) + envelopeBytes
        budget.items -= entitlements.count
        if (snapshots.length > 0 && (budget.bytes < 0 || budget.items < 0)) {
          entitlements.drop()
          return false
        }
        snapshots.push({ subscriberId, plan, entitlements, json })
        return true
      },
    }
    const outcome = await gate.evaluateMany(request).catch((error) => {
      for (const { entitlements } of snapshots) entitlements.drop()
      throw error
    })
    if (outcome.kind === 'exhausted') throw toAllotmentRefusal(outcome.allotment)
    answered(snapshots.length)
    return { snapshots, unknown: outcome.unknown, left: outcome.leftOut }
  },
})

/** An upper bound for the bytes of a snapshot besides its entitlements, and of an answer besides its lists. */
const envelopeBytes = 200

/** GraphQL may return 400,000 values (`src/graphql/budget.ts`), up to seven for each entitlement. */
function graphqlBudget({ maxAnswerBytes }: Pick<Limits, 'maxAnswerBytes'>) {
  return { bytes: maxAnswerBytes / 2, items: 40_000 }
}

async function toText(entitlements: ResolvedEntitlements): Promise<string> {
  if (!entitlements.isLarge) return entitlements.toJson()
  let text = ''
  for await (const slice of entitlements.toJsonSlices()) text += slice
  return text
}
