import type { OverrideFilter, OverrideOrder } from '../../../generated/features.ts'

export type ListName = 'repeats' | 'permanent' | 'expired'

/** Overrides that may be removed, with the filter of each list. */
export const lists: Record<
  ListName,
  { label: string; about: string; none: string; filter: OverrideFilter; order: OverrideOrder; query: string }
> = {
  repeats: {
    label: 'Repeat the plan',
    about:
      'These change nothing now: a check answers the same without them. Without one, the subscriber follows later changes of the plan.',
    none: 'None of them repeats what its subscriber has anyway.',
    filter: { live: true },
    order: 'FEATURE',
    query: 'live=true',
  },
  permanent: {
    label: 'Permanent',
    about: 'These never end. A value that should last may belong in a plan of its own.',
    none: 'Every override has an end.',
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
