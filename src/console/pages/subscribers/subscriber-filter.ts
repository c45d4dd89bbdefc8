import type { SubscriberFilter } from '../../generated/subscribers.ts'

type Search = { q?: string; plan?: string; without_plan?: true }

/** The filter in the page's address; null for everyone. */
export function toFilter({ q, plan, without_plan: withoutPlan }: Search): SubscriberFilter | null {
  const filter: SubscriberFilter = {
    ...(q?.trim() && { search: q.trim() }),
    ...(withoutPlan ? { withoutPlan } : plan !== undefined && { planId: plan }),
  }
  return Object.keys(filter).length === 0 ? null : filter
}
