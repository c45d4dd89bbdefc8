import { addAbortSignal, Readable } from 'node:stream'
import type { ResolvedEntitlements } from '../../src/gate/resolved-entitlements.ts'
import { checkEntitlement } from '../../src/modules/entitlements/check.ts'
import type { Checked, Snapshot } from '../../src/modules/entitlements/entitlement.ts'
import { readEntitlements } from '../../src/modules/entitlements/read-entitlements.ts'
import { readEvalUsage } from '../../src/modules/entitlements/read-eval-usage.ts'
import { readExplanation } from '../../src/modules/entitlements/read-explanation.ts'
import type { Services } from '../../src/operation/services.ts'
import { route } from '../route.ts'

export const entitlementRoutes = [
  route(checkEntitlement, { reply: toCheckBody }),
  route(readEntitlements, { reply: toSnapshotBody }),
  route(readEvalUsage),
  route(readExplanation),
]

function toCheckBody({ entitlements, isList }: Checked, services: Services): string | Readable {
  const [head, tail] = isList ? ['{"entitlements":[', ']}'] : ['', '']
  return toBody([head, entitlements, tail], services)
}

function toSnapshotBody({ subscriberId, plan, entitlements }: Snapshot, services: Services): string | Readable {
  const validUntil = entitlements.validUntil?.toISOString() ?? null
  const head = `{"subscriber_id":${JSON.stringify(subscriberId)},"plan":${JSON.stringify(plan)},"entitlements":[`
  return toBody([head, entitlements, `],"valid_until":${JSON.stringify(validUntil)}}`], services)
}

/** A large answer is made while the client reads it, so that no megabytes wait in memory; a slow reader is cut off. */
function toBody(
  [head, entitlements, tail]: [string, ResolvedEntitlements, string],
  { limits }: Services,
): string | Readable {
  if (!entitlements.isLarge) return head + entitlements.toJson() + tail
  return addAbortSignal(AbortSignal.timeout(limits.answerTimeoutMs), Readable.from(toSlices(), { objectMode: false }))

  async function* toSlices(): AsyncGenerator<string> {
    yield head
    yield* entitlements.toJsonSlices()
    yield tail
  }
}
