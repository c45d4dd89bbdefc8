import { addAbortSignal, Readable } from 'node:stream'
import type { ResolvedEntitlements } from '../src/gate/resolution/resolved-entitlements.ts'
import { isKnown, toEtag } from '../src/http/etag.ts'
import type { Checked, Snapshot } from '../src/modules/entitlements/entitlement.ts'
import type { Services } from '../src/operation/services.ts'
import type { EvalReply } from './route.ts'

export async function replyToCheck({ entitlements, isList }: Checked, services: Services): Promise<EvalReply> {
  const [head, tail] = isList ? ['{"entitlements":[', ']}'] : ['', '']
  return { status: 200, body: toBody([head, entitlements, tail], services) }
}

/** Computes the tag from the body's inputs, and builds the body only if the caller's tag differs. */
export async function replyToSnapshot(
  { subscriberId, plan, entitlements }: Snapshot,
  services: Services,
  ifNoneMatch: string | undefined,
): Promise<EvalReply> {
  const validUntil = entitlements.validUntil?.toISOString() ?? null
  const head = `{"subscriber_id":${JSON.stringify(subscriberId)},"plan":${JSON.stringify(plan)},"entitlements":[`
  const tail = `],"valid_until":${JSON.stringify(validUntil)}}`
  const etag = toEtag(head + (await entitlements.toDigest()) + tail)
  if (!isKnown(ifNoneMatch, etag)) return { status: 200, body: toBody([head, entitlements, tail], services), etag }
  entitlements.drop()
  return { status: 304, etag }
}

/** Builds a large answer while the client reads it, so that megabytes never wait in memory; cuts off slow readers. */
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
