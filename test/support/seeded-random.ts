/** The seed of tests whose faults, pauses and targets are random. SEED sets another one. */
export const defaultSeed = Number(process.env.SEED ?? 1)

/** Mulberry32: the same numbers for the same seed, so that a run can be repeated as far as timing allows. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
