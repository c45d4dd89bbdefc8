type Filter = { live?: boolean; expiresBefore?: string }

/** The filter for overrides in a state. An override that is not live may have expired, or start later. */
export function overridesInState(state: 'live' | 'expired' | 'all', now: string): Filter {
  if (state === 'all') return {}
  return state === 'live' ? { live: true } : { live: false, expiresBefore: now }
}
