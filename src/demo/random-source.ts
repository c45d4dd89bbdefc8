/** Yields the same numbers in each run, so that each demo has the same data. */
export type RandomSource = {
  /** A number of at least 0 and below 1. */
  next(): number
  /** A whole number from `from` to `to`. */
  between(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item
}

/** Mulberry32: small, and looks random enough. */
export function createRandomSource(seed: number): RandomSource {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
  }
}
