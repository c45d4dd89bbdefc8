import { type Effect, effectOf, effects } from '../../../components/history/effect.ts'
import { isSameValue, toValue, type Value, valueOfAnswer } from '../../../components/text/value.ts'
import type { Entitlement, ExplainedFeature } from '../features/explained.ts'

export type FeatureChange = { feature: ExplainedFeature; from: Entitlement; to: Entitlement; effect: Effect }

export type Comparison = {
  /** The changes of values, losses first. */
  changes: FeatureChange[]
  /** Features whose grants differ, but whose values stay the same because of an override. */
  hidden: ExplainedFeature[]
  unchanged: number
}

/** The changes that another plan would bring for the subscriber, from two explanations of the same catalog. */
export function compare(now: readonly ExplainedFeature[], then: readonly ExplainedFeature[]): Comparison {
  const after = new Map(then.map((feature) => [feature.key, feature]))
  const changes: FeatureChange[] = []
  const hidden: ExplainedFeature[] = []
  for (const feature of now) {
    const next = after.get(feature.key)
    if (!next) continue
    const [from, to] = [feature.entitlement, next.entitlement]
    if (!isSameValue(valueOfAnswer(from), valueOfAnswer(to)))
      changes.push({ feature, from, to, effect: effectOf(from, to) })
    else if (!isSameValue(grantedValueOf(feature), grantedValueOf(next))) hidden.push(feature)
  }
  changes.sort((one, other) => effects.indexOf(one.effect) - effects.indexOf(other.effect))
  return { changes, hidden, unchanged: now.length - changes.length - hidden.length }
}

function grantedValueOf({ planGrant }: ExplainedFeature): Value | null {
  return planGrant && toValue(planGrant)
}
