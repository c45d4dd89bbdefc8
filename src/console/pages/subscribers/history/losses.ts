import {
  type Change,
  type ChangeWithPrevious,
  classifyChange,
  describeCause,
  withPreviousChange,
} from '../../../components/history/changes.ts'
import { describeValue } from '../../../components/text/describe-value.ts'
import { formatSince } from '../../../components/text/format-time.ts'
import { type Value, valueOfAnswer } from '../../../components/text/value.ts'
import type { ExplainedFeature } from '../features/explained.ts'

/** When and why a feature was turned off, lowered or lost. */
export type Loss = { at: string; cause: Change['cause']; text: string }

/**
 * Returns the loss of each feature whose last change of value was a loss, by feature key. Leaves out features whose value comes
 * from an override: overrides in force are shown elsewhere.
 */
export function findLosses(
  features: readonly ExplainedFeature[],
  changes: readonly Change[],
  now: Date,
): Map<string, Loss> {
  const last = new Map<string, ChangeWithPrevious>()
  for (const placed of withPreviousChange(changes)) {
    const { feature } = placed.change
    if (feature !== null && !last.has(feature) && classifyChange(placed.change) !== 'same') last.set(feature, placed)
  }
  return new Map(
    features.flatMap(({ key, entitlement }) => {
      const placed = last.get(key)
      const effect = placed && classifyChange(placed.change)
      if ((effect !== 'lost' && effect !== 'lowered') || !placed || entitlement.source === 'OVERRIDE') return []
      const { at, from } = placed.change
      const lack = describeLack(from && valueOfAnswer(from.entitlement))
      return [
        [
          key,
          {
            at,
            cause: placed.change.cause,
            text: `${lack} ${formatSince(new Date(at), now)}: ${describeCause(placed)}`,
          },
        ] as const,
      ]
    }),
  )
}

/** "off", "down from 25" */
function describeLack(before: Value | null): string {
  if (before?.kind === 'FLAG') return 'off'
  return before?.kind === 'LIMIT' ? `down from ${describeValue(before)}` : 'no value'
}
