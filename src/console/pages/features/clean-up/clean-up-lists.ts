import { overridesInState } from '../../../components/text/override-filter.ts'
import type { OverrideFilter, OverrideOrder } from '../../../generated/features.ts'

export type ListName = 'repeats' | 'permanent' | 'expired'

/** The lists of overrides that may be removed, each with its texts and its filter. */
export const cleanUpLists: Record<
  ListName,
  { label: string; about: string; none: string; filter: OverrideFilter; order: OverrideOrder; query: string }
> = {
  repeats: {
    label: 'Repeat the plan',
    about:
      'These have no effect now: a check gives the same answer without them. Once one is removed, its subscriber follows later changes to the plan.',
    none: 'No live override repeats what its subscriber would have without it.',
    filter: { live: true },
    order: 'FEATURE',
    query: 'live=true',
  },
  permanent: {
    label: 'Permanent',
    about: 'These never end. A value that should last may belong in a plan of its own.',
    none: 'Every override has an expiry.',
    filter: { permanent: true },
    order: 'EXPIRES',
    query: 'permanent=true&order=expires',
  },
  expired: {
    label: 'Expired',
    about: 'These have expired and have no effect, but a feature cannot be deleted while it has one.',
    none: 'No override has expired.',
    filter: { live: false },
    order: 'EXPIRES',
    query: 'live=false&order=expires',
  },
}

/** The filter of a list for GraphQL, and the same filter as a query string for REST. */
export function toListFilter(list: ListName, now: string): { filter: OverrideFilter; query: string } {
  const { filter, query } = cleanUpLists[list]
  if (list !== 'expired') return { filter, query }
  return { filter: overridesInState('expired', now), query: `${query}&expires_before=${now}` }
}
