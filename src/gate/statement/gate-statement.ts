import type { TokenSubject } from '../../access/subscriber-token.ts'
import type { TextStatement } from '../../database/sql.ts'
import { joinFeatures, quoteElement, toStorableId } from './array-text.ts'
import { maxSnapshotOverrides } from './counter-text.ts'
import type { GateTexts } from './gate-text.ts'

/** The address from which a key was sent; if null (unknown), a key that is bound to networks is refused. */
type KeyOrigin = { readonly keyAddress: string | null }

/**
 * The caller: a key by its SHA-256 in hexadecimal, a member whose console session has already been looked up, or a subscriber
 * with a token, which may only ask about that subscriber.
 */
export type EvalCaller =
  | { keyHash: string; from?: KeyOrigin; member?: undefined; tokenSubject?: undefined }
  | {
      keyHash?: undefined
      from?: undefined
      member: { organizationId: string; memberId: string }
      tokenSubject?: undefined
    }
  | { keyHash?: undefined; from?: undefined; member?: undefined; tokenSubject: TokenSubject }

/** One eval as a parameter of the statement. `heldVersion` is the version of the catalog in memory, or null. */
export type RequestedEval = EvalCaller & {
  /** The caller's address, set for a key that may be bound to networks. */
  keyAddress: string | null
  heldVersion: string | null
  subscriberId: string
  /** Null is the whole catalog; no key appears twice. */
  features: readonly string[] | null
  /** Whether the catalog in memory has all of `features`. */
  areFeaturesKnown: boolean
}

/** Whether the statement reads all overrides of the subscriber, which costs less than looking up many single ones. */
export function readsAllOverrides(features: readonly string[] | null): boolean {
  return features === null || features.length > maxSnapshotOverrides
}

/**
 * Identifies a statement of this process. The database keeps the last number of each slot, so that the process can ask
 * whether it counted a statement whose reply was lost (refunds.ts).
 */
export type BatchId = { gateId: string; number: number }

/** The number of statements that may be in flight at once; each has its own slot. */
const slotCount = 2

export function slotOf({ number }: BatchId): number {
  return number % slotCount
}

/** The values that all evals of a process share. The rate and the allotment apply to organizations without their own. */
export type GateDefaults = {
  texts: GateTexts
  roles: readonly string[]
  rateLimitPerSecond: number
  /** The fraction of an organization's rate, from 0 to 1, that evals by all tokens together may use. */
  tokenRateShare: number
  /** Evals in a calendar month; null is unlimited. */
  monthlyAllotment: number | null
  lockTimeoutMs: number
}

/** `counts`: whether the statement counts its evals, or only reads. */
export function gateStatement(
  evals: readonly RequestedEval[],
  defaults: GateDefaults,
  { batchId, counts }: { batchId: BatchId | null; counts: boolean },
): TextStatement {
  const idParameters = batchId ? [batchId.gateId, slotOf(batchId), batchId.number] : [null, null, null]
  const values = [...parameters(evals, defaults), ...idParameters]
  const { byKey, byToken } = counts ? defaults.texts.counting : defaults.texts.reading
  const name = counts ? 'eval-gate' : 'eval-read'
  if (evals.every(({ tokenSubject }) => tokenSubject === undefined)) return { name, text: byKey, values }
  const ofTokens = counts ? [...tokenParameters(evals), defaults.tokenRateShare] : tokenParameters(evals)
  return { name: `${name}-by-token`, text: byToken, values: [...values, ...ofTokens] }
}

function parameters(evals: readonly RequestedEval[], defaults: GateDefaults): (string | number | null)[] {
  let hashes = ''
  let held = ''
  let subscribers = ''
  let features = ''
  let known = ''
  let organizations = ''
  let members = ''
  let readsAll = ''
  let addresses = ''
  for (const requestedEval of evals) {
    hashes += requestedEval.keyHash !== undefined ? `,"\\\\x${requestedEval.keyHash}"` : ',null'
    organizations += `,${(requestedEval.member ?? requestedEval.tokenSubject)?.organizationId ?? 'null'}`
    members += `,${requestedEval.member?.memberId ?? 'null'}`
    held += `,${requestedEval.heldVersion ?? 'null'}`
    subscribers += `,${quoteElement(toStorableId(requestedEval.subscriberId))}`
    features +=
      requestedEval.features === null
        ? ',null'
        : `,"${joinFeatures(requestedEval.features, requestedEval.areFeaturesKnown)}"`
    known += requestedEval.areFeaturesKnown ? ',t' : ',f'
    addresses += `,${requestedEval.keyAddress ?? 'null'}`
    readsAll += readsAllOverrides(requestedEval.features) ? ',t' : ',f'
  }
  return [
    ...[hashes, held, subscribers, features, known].map(toArray),
    `{${defaults.roles.join(',')}}`,
    defaults.rateLimitPerSecond,
    defaults.monthlyAllotment,
    `${defaults.lockTimeoutMs}ms`,
    ...[organizations, members, readsAll, addresses].map(toArray),
  ]
}

function tokenParameters(evals: readonly RequestedEval[]): string[] {
  const keys = evals.map(({ tokenSubject }) => `,${tokenSubject?.keyId ?? 'null'}`)
  const since = evals.map(({ tokenSubject }) => `,${tokenSubject?.subscriberSince.toISOString() ?? 'null'}`)
  return [toArray(keys.join('')), toArray(since.join(''))]
}

/** Each element is preceded by a comma. */
function toArray(list: string): string {
  return `{${list.slice(1)}}`
}
