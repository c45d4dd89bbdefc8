import type { FeatureKind } from '../../generated/features.ts'

/** What a change means for a subscriber, losses first. */
export const effects = ['lost', 'lowered', 'changed', 'raised', 'gained'] as const

export type Effect = (typeof effects)[number]

export function isLoss(effect: Effect | 'same' | 'unknown'): boolean {
  return effect === 'lost' || effect === 'lowered'
}

type Answer = { kind: FeatureKind; allowed: boolean; limit: number | null }

/** What the change of an entitlement means for the subscriber. The two values must differ. */
export function effectOf(from: Answer, to: Answer): Effect {
  if (from.allowed !== to.allowed) return to.allowed ? 'gained' : 'lost'
  if (from.kind !== 'LIMIT') return 'changed'
  return (to.limit ?? Number.POSITIVE_INFINITY) < (from.limit ?? Number.POSITIVE_INFINITY) ? 'lowered' : 'raised'
}
