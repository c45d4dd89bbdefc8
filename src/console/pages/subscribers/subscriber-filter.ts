import type { SubscriberFilter } from '../../generated/subscribers.ts'

export type Search = {
  q?: string
  plan?: string
  without_plan?: true
  with_override_of?: string
  without_override_of?: string
}

/** The filter in the page's address; null for all subscribers. */
export function toFilter(search: Search): SubscriberFilter | null {
  const { q, plan, without_plan: withoutPlan, with_override_of: overridden, without_override_of: feature } = search
  const filter: SubscriberFilter = {
    ...(q?.trim() && { text: q.trim() }),
    ...(withoutPlan ? { withoutPlan } : plan !== undefined && { planId: plan }),
    ...(overridden !== undefined && { withOverrideOf: overridden }),
    ...(feature !== undefined && { withoutOverrideOf: [feature] }),
  }
  return Object.keys(filter).length === 0 ? null : filter
}
