import type { Lane } from './lane.ts'
import type { ClaimRequest } from './lane-store.ts'

/** A round reads deeply for this many organizations, because such a claim looks at thousands of events. */
const deepClaimsAtOnce = 2

/** The events to claim for these lanes in this round. */
export function findClaims(lanes: readonly Lane[]): { lane: Lane; claim: ClaimRequest }[] {
  let deepClaims = 0
  return lanes.flatMap((lane) => {
    const claim = lane.toClaim()
    if (claim === null) return []
    if (claim.skipped.length > 0 && ++deepClaims > deepClaimsAtOnce) return []
    return [{ lane, claim }]
  })
}
