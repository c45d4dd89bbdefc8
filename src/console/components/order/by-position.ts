/** The vendor's order: by position, and then the items without a position, in their previous order. */
export function sortByPosition<Item extends { position: number | null }>(items: readonly Item[]): Item[] {
  return items.toSorted(comparePositions)
}

/** Plans in the vendor's order; plans without a position are in the order of creation. The API returns the newest first. */
export function sortPlans<Plan extends { position: number | null }>(plans: readonly Plan[]): Plan[] {
  return sortByPosition(plans.toReversed())
}

export function comparePositions(one: { position: number | null }, other: { position: number | null }): number {
  const [first, second] = [one.position ?? Number.POSITIVE_INFINITY, other.position ?? Number.POSITIVE_INFINITY]
  if (first === second) return 0
  return first < second ? -1 : 1
}
