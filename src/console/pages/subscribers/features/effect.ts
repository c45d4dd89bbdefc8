import type { Entitlement } from './explained.ts'

export type Effect = 'lost' | 'lowered' | 'changed' | 'raised' | 'gained'

/** What the change of an entitlement means for the subscriber; both sides have different values. */
export function effectOf(from: Entitlement, to: Entitlement): Effect {
  if (from.allowed !== to.allowed) return to.allowed ? 'gained' : 'lost'
  if (from.kind !== 'LIMIT') return 'changed'
  return (to.limit ?? Number.POSITIVE_INFINITY) < (from.limit ?? Number.POSITIVE_INFINITY) ? 'lowered' : 'raised'
}
