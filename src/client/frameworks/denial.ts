import type { Entitlements } from '../entitlements.ts'
import type { FeatureKey } from '../keys.ts'
import type { Detail } from '../snapshot.ts'
import { type SubscriberId, toSubscriberId } from '../subscriber-id.ts'

/** Why a request is denied. */
export type Denial = {
  /** The feature that the route needs. */
  feature: FeatureKey
  /** Null if `subscriberOf` returned no subscriber. */
  subscriber: string | null
  /** The client's answer; null if there is no subscriber. */
  detail: Detail | null
}

/** The answer to a denied request, unless `onDenied` answers it. */
export type DenialBody = {
  error: {
    code: 'NOT_ENTITLED' | 'NO_SUBSCRIBER' | 'SERVICE_UNAVAILABLE'
    message: string
    feature: string
    /** Why the service returned no entitlement; null if the service denied the feature, and without a subscriber. */
    problem: Detail['problem']
  }
}

export type SubscriberIdOrNone = SubscriberId | null | undefined

/**
 * Finds out why the subscriber may not use the feature; null if it may. Does not throw if the service is unavailable: then the
 * client's `onUnavailable` decides.
 */
export async function findDenial(
  entitlements: Pick<Entitlements, 'checkDetail'>,
  feature: FeatureKey,
  named: SubscriberIdOrNone,
): Promise<Denial | null> {
  if (named === null || named === undefined || named === '') return { feature, subscriber: null, detail: null }
  const subscriber = toSubscriberId(named, 'The result of subscriberOf')
  const detail = await entitlements.checkDetail(subscriber, feature)
  return detail.allowed ? null : { feature, subscriber, detail }
}

/**
 * 403 if the service denied the feature; 503 if the service is unavailable or refused the check for its rate, because a retry
 * may succeed.
 */
export function statusOf({ detail }: Denial): 403 | 503 {
  return detail?.problem === 'unavailable' || detail?.problem === 'rate_limited' ? 503 : 403
}

/** The `Retry-After` header of a 503, in seconds. */
export const retryAfter = '1'

export function toDenialBody(denial: Denial): DenialBody {
  const { feature, subscriber, detail } = denial
  const problem = detail?.problem ?? null
  if (statusOf(denial) === 503) {
    const message = `It is currently unknown whether this customer may use the feature "${feature}". Try again in a moment.`
    return { error: { code: 'SERVICE_UNAVAILABLE', message, feature, problem } }
  }
  const error =
    subscriber === null
      ? ({ code: 'NO_SUBSCRIBER', message: 'It is not known which customer this request is for.' } as const)
      : ({ code: 'NOT_ENTITLED', message: `This request needs the feature "${feature}".` } as const)
  return { error: { ...error, feature, problem } }
}
