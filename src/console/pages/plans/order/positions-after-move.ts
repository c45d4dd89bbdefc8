export type Positioned = { key: string; position: number | null }

export type Side = 'before' | 'after'

/**
 * The positions to write so that an item moves beside another: only its own position if a number fits between those of its new
 * neighbors. Items without a position come last, so all items before the moved one need a position.
 */
export function positionsAfterMove(
  list: readonly Positioned[],
  key: string,
  side: Side,
  neighbor: string,
): Map<string, number> {
  const others = list.filter((other) => other.key !== key)
  const index = others.findIndex((other) => other.key === neighbor) + (side === 'after' ? 1 : 0)
  const own = findBetween(others[index - 1], others[index])
  if (own !== null) return new Map([[key, own]])
  const all = [...others.slice(0, index), { key, position: null }, ...others.slice(index)]
  const last = Math.max(
    index,
    all.findLastIndex(({ position }) => position !== null),
  )
  return new Map(
    all
      .slice(0, last + 1)
      .map(({ key, position }, at) => ({ key, position, wanted: at + 1 }))
      .filter(({ position, wanted }) => position !== wanted)
      .map(({ key, wanted }) => [key, wanted]),
  )
}

/** A number between the two positions; null if there is none. */
function findBetween(before: Positioned | undefined, after: Positioned | undefined): number | null {
  const low = before === undefined ? Number.NEGATIVE_INFINITY : before.position
  const high = after?.position ?? Number.POSITIVE_INFINITY
  if (low === null) return null
  const middle = middleOf(low, high)
  return low < middle && middle < high && Number.isFinite(middle) ? middle : null
}

function middleOf(low: number, high: number): number {
  if (low === Number.NEGATIVE_INFINITY) return high === Number.POSITIVE_INFINITY ? 1 : high - 1
  return high === Number.POSITIVE_INFINITY ? low + 1 : low + (high - low) / 2
}
