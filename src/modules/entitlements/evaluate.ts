import { AddressNotAllowed } from '../../access/allowed-networks.ts'
import { organizationMoveInProgress } from '../../access/organization-move.ts'
import { tokenHasEnded } from '../../access/subscriber-token.ts'
import { conflict, DomainError, forbidden, notFound, unauthorized, validationError } from '../../core/errors.ts'
import { keyPattern } from '../../core/fields.ts'
import type { EvalCaller, EvalOutcome, Gate } from '../../gate/gate.ts'
import { isSubscriberId } from '../subscribers/subscriber.ts'
import type { Snapshot } from './entitlement.ts'

/** The fields that the definitions of all evals share. */
export const evalDefinition = {
  service: 'api',
  labels: ['entitlements:read'],
  tokens: 'bearer',
  cors: true,
  about:
    'Refused with 409 `CONFLICT`, `field` `evals`, once the organization has used its monthly allotment of evals, if the ' +
    'operator has set one. Refused with 429 beyond its evals per second.',
} as const

/** Requests a snapshot if `features` is null. No key appears twice. */
type EvalRequest = { subscriberId: string; features: readonly string[] | null }

/**
 * Replaces an invalid id or key in the gate's statement, so that the request is counted, and refused as if the id or key were
 * unknown.
 */
const impossibleKey = ''

/** Runs an eval, or throws the contract's refusal. `pathOf` returns the path of a feature in the body. */
export async function evaluate(
  gate: Gate,
  caller: EvalCaller,
  { subscriberId, features }: EvalRequest,
  pathOf: (index: number) => string = String,
): Promise<Snapshot> {
  const { tokenSubject } = caller
  // A token that is used for another subscriber is counted and refused as if the subscriber were unknown.
  const isOtherSubscriber = tokenSubject !== undefined && tokenSubject.subscriberId !== subscriberId
  const checkedKeys = isOtherSubscriber ? [impossibleKey] : (features?.map(replaceImpossible) ?? null)
  const outcome = await gate.evaluate({
    ...caller,
    subscriberId: tokenSubject?.subscriberId ?? (isSubscriberId(subscriberId) ? subscriberId : impossibleKey),
    features: checkedKeys,
  })
  if (outcome.kind === 'granted') return { subscriberId, plan: outcome.plan, entitlements: outcome.entitlements }
  if (isOtherSubscriber && outcome.kind === 'unknown_feature') throw notFound('subscriber', subscriberId)
  if (tokenSubject && (outcome.kind === 'unauthorized' || outcome.kind === 'forbidden')) throw tokenHasEnded()
  if (outcome.kind !== 'unknown_feature') throw toRefusal(outcome, subscriberId)

  const unknown = new Set(outcome.features)
  throw toUnknownFeaturesRefusal(features ?? [], (key) => unknown.has(replaceImpossible(key)), pathOf)
}

/** The refusal of a check of features that are not in the catalog. */
export function toUnknownFeaturesRefusal(
  features: readonly string[],
  isUnknown: (key: string) => boolean,
  pathOf: (index: number) => string,
): DomainError {
  return validationError(
    features.flatMap((key, index) =>
      isUnknown(key) ? [{ path: pathOf(index), message: `${pathOf(index)} "${key}" is not in the catalog.` }] : [],
    ),
  )
}

/** Counts a request for many subscribers once against the rate limit. Throws like an eval. */
export async function countBulkRequest(gate: Gate, caller: EvalCaller): Promise<void> {
  const outcome = await gate.evaluate({ ...caller, subscriberId: impossibleKey, features: [impossibleKey] })
  const isCounted = ['unknown_subscriber', 'unknown_feature', 'granted'].includes(outcome.kind)
  if (!isCounted) throw toRefusal(outcome as RefusedEval, impossibleKey)
}

/** Counts a request for a subscriber against the rate limit, but not against the allotment. Throws like an eval. */
export async function countRequest(gate: Gate, caller: EvalCaller, subscriberId: string): Promise<void> {
  const outcome = await gate.evaluate({
    ...caller,
    subscriberId: isSubscriberId(subscriberId) ? subscriberId : impossibleKey,
    features: [impossibleKey],
  })
  // Evals of a feature that cannot exist are not counted against the allotment.
  if (outcome.kind !== 'unknown_feature' && outcome.kind !== 'granted') throw toRefusal(outcome, subscriberId)
}

function replaceImpossible(key: string): string {
  return keyPattern.test(key) ? key : impossibleKey
}

type RefusedEval = Exclude<EvalOutcome, { kind: 'granted' | 'unknown_feature' }>

function toRefusal(outcome: RefusedEval, subscriberId: string): DomainError {
  switch (outcome.kind) {
    case 'unauthorized':
      return unauthorized('This API key or session is no longer valid, or its member is disabled.')
    case 'moved':
      return organizationMoveInProgress()
    case 'elsewhere':
      return new AddressNotAllowed()
    case 'forbidden':
      return forbidden(evalDefinition.labels)
    case 'rate_limited':
    case 'subscriber_limited':
    case 'tokens_limited':
      return new DomainError('RATE_LIMITED', 'Too many evals in this second. Wait a second, then try again.', {
        retry_after_seconds: 1,
      })
    case 'unknown_subscriber':
      return notFound('subscriber', subscriberId)
    case 'tokens_exhausted':
      return conflict(
        { field: 'evals', value: outcome.allotment },
        `Subscribers' tokens have used up their share of the monthly allotment of ${outcome.allotment} evals. It resets at the start of next month (UTC).`,
      )
    case 'exhausted':
      return conflict(
        { field: 'evals', value: outcome.allotment },
        `The monthly allotment of ${outcome.allotment} evals is used up. It resets at the start of next month (UTC).`,
      )
  }
}

/** The refusal of a request that needs more evals than the allotment has left. */
export function toAllotmentRefusal(allotment: number): DomainError {
  return conflict(
    { field: 'evals', value: allotment },
    `The monthly allotment of ${allotment} evals has fewer evals left than these subscribers need. It resets at the start of next month (UTC).`,
  )
}
