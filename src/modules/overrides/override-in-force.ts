import { isSameJson } from '../../core/json.ts'
import { isLive } from '../../gate/resolution/entitlement.ts'

import type { FeatureValue } from '../features/stored-value.ts'

/*
 * How receivers are notified of an override. It is in force while it is live, and a change to the override in force is an event.
 * An override past its `expires_at` that is not marked yet is between the two: any change to it is notified with cause
 * `override`, and its `expiry` event is never sent.
 *
 * | Before           | Written               | Event    | Marked after |
 * | none             | live                  | override | no           |
 * | none             | expired               | none     | yes          |
 * | live             | live, same value      | none     | no           |
 * | live             | live, another value   | override | no           |
 * | live             | expired, or deleted   | override | yes          |
 * | expired, no mark | the same              | none     | no           |
 * | expired, no mark | anything else         | override | when expired |
 * | expired, marked  | live                  | override | no           |
 * | expired, marked  | expired, or deleted   | none     | yes          |
 */

/** The value of an override, under the name that its kind has for it. */
export type OverrideValue = { kind: 'flag'; allowed: boolean } | Exclude<FeatureValue, { kind: 'flag' }>

/** The content of a put. */
export type WrittenOverride = { value: OverrideValue; expiresAt: Date | null }

/** An override as stored; receivers already know that a marked one has ended. */
export type StoredOverride = WrittenOverride & { expiryMarked: boolean }

/** `movesEnd`: only the end of the override in force changed, which followers of changes are notified of. */
type Judged = { isEvent: boolean; movesEnd: boolean; expiryMarked: boolean }

/**
 * Whether a put or delete (`after` null) is an event with cause `override`, and whether the row is marked afterwards.
 * `now` is the database's time once the row is locked.
 */
export function judgeChange(before: StoredOverride | null, after: WrittenOverride | null, now: Date): Judged {
  const isUnchanged = isSameJson(contentOf(before), contentOf(after))
  if (isUnchanged) return { isEvent: false, movesEnd: false, expiryMarked: before?.expiryMarked ?? false }

  const isUntold = before !== null && !isLive(before, now) && !before.expiryMarked
  const isEvent = isUntold || !isSameJson(findInForce(before, now), findInForce(after, now))
  const isInForce = after !== null && isLive(after, now)
  return { isEvent, movesEnd: !isEvent && isInForce, expiryMarked: after !== null && !isInForce }
}

function findInForce(override: WrittenOverride | null, now: Date): OverrideValue | null {
  return override && isLive(override, now) ? override.value : null
}

function contentOf(override: WrittenOverride | null): unknown {
  return override && { ...override.value, expires_at: override.expiresAt?.getTime() ?? null }
}
