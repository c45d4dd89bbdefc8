import { addAbortSignal, Readable } from 'node:stream'
import { sealedCursors } from '../src/changes/cursors.ts'
import { signSlices, signText } from '../src/core/signing-key.ts'
import type { ItemJson } from '../src/gate/resolution/entitlement.ts'
import type { ResolvedEntitlements } from '../src/gate/resolution/resolved-entitlements.ts'
import { matchesEtag, toEtag } from '../src/http/etag.ts'
import { prefers } from '../src/http/negotiation.ts'
import type { CheckResult, RequestedSnapshot } from '../src/modules/entitlements/entitlement.ts'
import type { Services } from '../src/operation/services.ts'
import type { Flags } from './ofrep/evaluate-flags.ts'
import { flagJson } from './ofrep/flag.ts'
import { followFlags } from './ofrep/follow-flags.ts'
import type { EvalReply, ReplyContext } from './route.ts'

const jwtType = 'application/jwt'

/** A body: the text before and after the entitlements, and the format of an entitlement if it is not the service's own. */
type BodyParts = readonly [head: string, entitlements: ResolvedEntitlements, tail: string, itemJson?: ItemJson]

export async function replyToCheck({ entitlements, isList }: CheckResult, services: Services): Promise<EvalReply> {
  const [head, tail] = isList ? ['{"entitlements":[', ']}'] : ['', '']
  return { status: 200, body: toBody([head, entitlements, tail], services) }
}

/** Whether the request asks for a signed snapshot. */
export function isSigned(request: Pick<ReplyContext, 'headers'>): boolean {
  return prefers(request, jwtType)
}

export async function replyToSnapshot(
  snapshot: RequestedSnapshot,
  services: Services,
  request: ReplyContext,
): Promise<EvalReply> {
  const parts = toBodyParts(snapshot)
  if (isSigned(request)) {
    return {
      status: 200,
      body: await signSnapshot(snapshot, parts, services),
      headers: { vary: 'accept', 'content-type': jwtType },
    }
  }
  // The ETag is computed from the data of the body. The body is built only if the caller's ETag differs.
  const [head, entitlements, tail] = parts
  const etag = toEtag(head + (await entitlements.toDigest()) + tail)
  const headers = { ...cacheHeaders(etag), vary: 'accept' }
  if (!matchesEtag(request.headers['if-none-match'], etag))
    return { status: 200, body: toBody(parts, services), headers }
  entitlements.drop()
  return { status: 304, headers }
}

/** Replies with one flag of OFREP. */
export async function replyToFlag({ entitlements }: CheckResult, services: Services): Promise<EvalReply> {
  return { status: 200, body: toBody(['', entitlements, '', flagJson], services) }
}

/** Replies with all flags of OFREP; for a subscriber's token, also with the address of the stream of changes. */
export async function replyToFlags(
  { subscriberId, entitlements, stream }: Flags,
  services: Services,
  request: ReplyContext,
): Promise<EvalReply> {
  const etag = toEtag(`flags of ${subscriberId} ${await entitlements.toDigest()}`)
  const headers = cacheHeaders(etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    entitlements.drop()
    return { status: 304, headers }
  }
  const streams = stream && JSON.stringify([{ type: 'sse', url: await streamUrlOf(stream, services, request) }])
  const tail = streams === null ? ']}' : `],"eventStreams":${streams}}`
  return { status: 200, body: toBody(['{"flags":[', entitlements, tail, flagJson], services), headers }
}

async function streamUrlOf(
  { tokenSubject, after }: NonNullable<Flags['stream']>,
  { address, subscriberTokens, vault }: Services,
  request: ReplyContext,
): Promise<string> {
  const token = await subscriberTokens.issueForStream(tokenSubject, sealedCursors(vault, tokenSubject).write(after))
  return `${address.baseUrl(request)}${followFlags.route}?token=${token}`
}

/** The caller may cache the answer, and must revalidate it before each use. */
function cacheHeaders(etag: string) {
  return { 'cache-control': 'private, no-cache', etag }
}

function toBodyParts({ subscriberId, plan, entitlements }: RequestedSnapshot): BodyParts {
  const validUntil = entitlements.validUntil?.toISOString() ?? null
  const head = `{"subscriber_id":${JSON.stringify(subscriberId)},"plan":${JSON.stringify(plan)},"entitlements":[`
  return [head, entitlements, `],"valid_until":${JSON.stringify(validUntil)}}`]
}

/** Signs a token with the snapshot as a claim. The token expires no later than `validUntil`, in whole seconds. */
async function signSnapshot(
  { subscriberId, maxAge }: RequestedSnapshot,
  [head, entitlements, tail]: BodyParts,
  { signingKeys, largeSignatures, limits }: Services,
): Promise<string | Buffer> {
  const { organizationId, ownerId, countedAt, validUntil } = entitlements
  const iat = toSeconds(countedAt)
  const exp = Math.min(iat + maxAge, validUntil ? toSeconds(validUntil) : Number.POSITIVE_INFINITY)
  const claims = { iss: limits.publicUrl ?? organizationId, sub: subscriberId, aud: organizationId, iat, exp }
  const payload: BodyParts = [`${JSON.stringify(claims).slice(0, -1)},"snapshot":${head}`, entitlements, `${tail}}`]
  try {
    const key = await signingKeys.keyFor('snapshot', exp * 1_000)
    if (!entitlements.isLarge) return signText(key, snapshotTokenType, toText(payload))
    const share = { owner: ownerId, part: organizationId }
    return await largeSignatures.run(share, () => signSlices(key, snapshotTokenType, toSlices(payload)))
  } catch (error) {
    entitlements.drop()
    throw error
  }
}

const snapshotTokenType = 'entitlements+jwt'

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}

/** Builds a large answer while the client reads it, so that megabytes never wait in memory. Cuts off slow readers. */
function toBody(parts: BodyParts, { limits }: Services): string | Readable {
  if (!parts[1].isLarge) return toText(parts)
  const readable = Readable.from(toSlices(parts), { objectMode: false })
  // If the client leaves before the first slice, the generator never starts and releases nothing.
  readable.once('close', () => parts[1].drop())
  return addAbortSignal(AbortSignal.timeout(limits.answerTimeoutMs), readable)
}

function toText([head, entitlements, tail, itemJson]: BodyParts): string {
  return head + entitlements.toJson(itemJson) + tail
}

async function* toSlices([head, entitlements, tail, itemJson]: BodyParts): AsyncGenerator<string> {
  yield head
  yield* entitlements.toJsonSlices(itemJson)
  yield tail
}
