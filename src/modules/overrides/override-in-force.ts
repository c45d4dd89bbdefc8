import { isSameJson } from '../../core/json.ts'
import { isLive } from '../../gate/resolution/entitlement.ts'

import type { FeatureValue } from '../features/stored-value.ts'

/*
 * How receivers are notified of changes to an override. An override is in force while it is live, and a change to the override
 * in force is an event. If an override is past its `expires_at` but not marked yet, any change is an event with cause
 * `override`, and its `expiry` event is never sent. The same is true of an override past its start if receivers were not
 * notified of the start yet. Before its start, an override has no effect, but a change to it changes the `valid_until`.
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
 * | none, marked     | scheduled             | none     | no           |
 * | expired, no mark | scheduled             | override | no           |
 * | scheduled        | live                  | override | no           |
 * | scheduled        | anything else         | none     | when expired |
 * | start is due     | anything else         | override | when expired |
 */

/** The value of an override, in the field of its kind: `allowed`, `limit` or `value`. */
export type OverrideValue = { kind: 'flag'; allowed: boolean } | Exclude<FeatureValue, { kind: 'flag' }>

/** The content of a put. */
export type WrittenOverride = { value: OverrideValue; startsAt: Date | null; expiresAt: Date | null }

/**
 * A stored override. `expiryMarked`: receivers were notified of its end. `isStartDue`: it has started, but receivers were not
 * notified yet.
 */
export type StoredOverride = WrittenOverride & { expiryMarked: boolean; isStartDue: boolean }

/**
 * `movesEnd`: only the `valid_until` of snapshots changes. Followers of changes are notified of this, but receivers of events
 * are not.
 */
type ChangeEffects = { isEvent: boolean; movesEnd: boolean; expiryMarked: boolean }

/**
 * Computes whether a put or delete (`after` is null) is an event with cause `override`, and whether the row is marked
 * afterwards. `now` is the database's time once the row is locked.
 */
export function classifyChange(before: StoredOverride | null, after: WrittenOverride | null, now: Date): ChangeEffects {
  const isUnchanged = isSameJson(contentOf(before), contentOf(after))
  const isStartDue = before?.isStartDue ?? false
  if (isUnchanged) return { isEvent: isStartDue, movesEnd: false, expiryMarked: before?.expiryMarked ?? false }

  const isUnnotified = before !== null && (isStartDue || (hasEnded(before, now) && !before.expiryMarked))
  const isEvent = isUnnotified || !isSameJson(findInForce(before, now), findInForce(after, now))
  const isInForce = after !== null && isLive(after, now)
  const movesEnd = !isEvent && (isInForce || startsLater(before) || startsLater(after))
  return { isEvent, movesEnd, expiryMarked: after !== null && hasEnded(after, now) }
}

/** Whether the override has not started yet. */
function startsLater(override: WrittenOverride | null): boolean {
  return override !== null && override.startsAt !== null
}

function hasEnded(override: WrittenOverride, now: Date): boolean {
  return !startsLater(override) && !isLive(override, now)
}

function findInForce(override: WrittenOverride | null, now: Date): OverrideValue | null {
  return override && isLive(override, now) ? override.value : null
}

function contentOf(override: WrittenOverride | null): unknown {
  if (!override) return null
  const [starts_at, expires_at] = [override.startsAt, override.expiresAt].map((time) => time?.getTime() ?? null)
  return { ...override.value, starts_at, expires_at }
}
