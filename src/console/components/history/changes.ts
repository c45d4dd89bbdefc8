import type { EntitlementChangeFragment } from '../../generated/history.ts'
import { formatDay } from '../text/format-time.ts'
import { isSameValue, valueOfAnswer } from '../text/value.ts'
import { type Effect, effectOf } from './effect.ts'

/** A change of what a check answers for one feature, or the creation of the subscriber. */
export type Change = EntitlementChangeFragment

/**
 * A change, and in `before` the previous change that its wording depends on; null if there is none, or it has not been
 * loaded.
 */
export type ChangeWithPrevious = { change: Change; before: Change | null }

/** Pairs each change (newest first) with the previous one that began or ended an override of the same feature. */
export function withPreviousChange(changes: readonly Change[]): ChangeWithPrevious[] {
  const older = new Map<string, Change>()
  return changes
    .toReversed()
    .map((change) => {
      const { feature, cause } = change
      const before = feature === null ? null : (older.get(feature) ?? null)
      if (feature !== null && (cause === 'OVERRIDE' || cause === 'EXPIRY')) older.set(feature, change)
      return { change, before }
    })
    .reverse()
}

const planChangeWords: Record<ReturnType<typeof classifyChange>, string> = {
  same: 'changed on',
  unknown: 'changed on',
  lost: 'removed from',
  lowered: 'lowered on',
  changed: 'changed on',
  raised: 'raised on',
  gained: 'added to',
}

/** "Ada’s override expired", "removed from plan starter by Ben". */
export function describeCause({ change, before }: ChangeWithPrevious): string {
  const by = change.by ? ` by ${change.by.displayName}` : ''
  const { cause, plan } = change
  switch (cause) {
    case 'SUBSCRIBER':
      return `the subscriber was created${by}`
    case 'EXPIRY':
      return before?.by ? `${before.by.displayName}’s override expired` : 'the override expired'
    case 'OVERRIDE':
      return describeOverride(change, before, by)
    case 'SUBSCRIPTION':
      return plan === null ? `the plan was canceled${by}` : `moved to plan ${plan}${by}`
    case 'PLAN':
      return `${planChangeWords[classifyChange(change)]} plan ${plan ?? ''}${by}`
  }
}

/** An override that follows an expiry is described as "granted again": there was nothing left to extend. */
function describeOverride({ from, to, at }: Change, before: Change | null, by: string): string {
  const [was, is] = [from?.entitlement, to?.entitlement]
  if (is && is.source !== 'OVERRIDE') return `the override was removed${by}`
  if (was && was.source !== 'OVERRIDE') {
    return before?.cause === 'EXPIRY' ? `granted again with an override${by}` : `overridden${by}`
  }
  if (!was || !is || !isSameValue(valueOfAnswer(was), valueOfAnswer(is))) return `the override was changed${by}`
  if (is.expiresAt === null) return `the override was made permanent${by}`
  const isLater = was.expiresAt !== null && Date.parse(is.expiresAt) > Date.parse(was.expiresAt)
  const until = formatDay(new Date(is.expiresAt), new Date(at))
  return `the override was ${isLater ? 'extended' : 'shortened'} until ${until}${by}`
}

/** What the change means for the subscriber: "same" if the value did not change, "unknown" for the subscriber's creation. */
export function classifyChange({ from, to }: Change): Effect | 'same' | 'unknown' {
  if (!from || !to) return 'unknown'
  const isSame = isSameValue(valueOfAnswer(from.entitlement), valueOfAnswer(to.entitlement))
  return isSame ? 'same' : effectOf(from.entitlement, to.entitlement)
}
