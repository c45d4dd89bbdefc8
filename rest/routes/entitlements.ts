import { addAbortSignal, Readable } from 'node:stream'
import { maxHoldMs } from '../../src/modules/entitlements/hold.ts'
import { checkEntitlement, readEntitlements, type Snapshot } from '../../src/modules/entitlements/read-entitlements.ts'
import { readEvalUsage } from '../../src/modules/entitlements/read-eval-usage.ts'
import type { ResolvedEntitlements } from '../../src/modules/entitlements/resolved-entitlements.ts'
import { asText } from '../query.ts'
import { route } from '../route.ts'

export const entitlementRoutes = [
  route(checkEntitlement, { reply: ({ entitlements }) => toBody('', entitlements, '') }),
  route(readEntitlements, { reply: toSnapshotBody }),
  route(readEvalUsage, { query: { month: asText }, reply: (usage) => usage }),
]

function toSnapshotBody({ subscriberId, plan, entitlements }: Snapshot): string | Readable {
  const validUntil = entitlements.validUntil?.toISOString() ?? null
  return toBody(
    `{"subscriber_id":${JSON.stringify(subscriberId)},"plan":${JSON.stringify(plan)},"entitlements":[`,
    entitlements,
    `],"valid_until":${JSON.stringify(validUntil)}}`,
  )
}

/** A large answer is made as the client reads it, so that no megabytes wait in memory; a client that stops reading is cut. */
function toBody(head: string, entitlements: ResolvedEntitlements, tail: string): string | Readable {
  if (!entitlements.isLarge) return head + entitlements.toJson() + tail
  return addAbortSignal(AbortSignal.timeout(maxHoldMs), Readable.from(toSlices(), { objectMode: false }))

  async function* toSlices(): AsyncGenerator<string> {
    yield head
    yield* entitlements.toJsonSlices()
    yield tail
  }
}
