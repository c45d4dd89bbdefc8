import type { Hit } from './entry.ts'

const maxRecent = 6
const keyOf = (organizationId: string) => `console:recent:${organizationId}`

/** Objects that were opened recently in an organization, kept for this tab until sign-out. */
export function readRecent(organizationId: string): Hit[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(organizationId)) ?? '[]')
  } catch {
    return []
  }
}

export function addRecent(organizationId: string, hit: Hit): void {
  const known = readRecent(organizationId)
  const others = known.filter(({ type, id }) => type !== hit.type || id !== hit.id)
  const knownHit = known.find(({ type, id }) => type === hit.type && id === hit.id)
  // A visit to a page adds only the id; a search also knows the name.
  const added = { ...hit, name: hit.name ?? knownHit?.name ?? null, context: hit.context ?? knownHit?.context ?? null }
  sessionStorage.setItem(keyOf(organizationId), JSON.stringify([added, ...others].slice(0, maxRecent)))
}

/** The subscriber, feature or plan in the parameters of a page's route; null if there is none. */
export function findHitInParams({ subscriberId, featureKey, planKey }: Record<string, string | undefined>): Hit | null {
  const none = { name: null, context: null }
  if (subscriberId !== undefined) return { type: 'SUBSCRIBER', id: subscriberId, ...none }
  if (featureKey !== undefined) return { type: 'FEATURE', id: featureKey, ...none }
  if (planKey !== undefined) return { type: 'PLAN', id: planKey, ...none }
  return null
}
