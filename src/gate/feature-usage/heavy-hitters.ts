/** The number of names in a sketch; users see the twenty most frequent of them. */
export const sketchSize = 50

/**
 * Finds the most frequent of many names in bounded memory: a Space-Saving sketch (Metwally and others, 2005). Once it is full,
 * a new name replaces the least frequent one and continues its count. So the count of a name in the sketch is never too low,
 * and every name that makes up more than a fiftieth of all additions is in it.
 */
export class HeavyHitters {
  readonly #counts = new Map<string, number>()
  #lowest = 0
  /** Names that had the lowest count at the last search. */
  readonly #least: string[] = []

  add(name: string): void {
    const count = this.#counts.get(name)
    if (count !== undefined) this.#counts.set(name, count + 1)
    else if (this.#counts.size < sketchSize) this.#counts.set(name, 1)
    else this.#replaceLeastFrequent(name)
  }

  /** The names with their counts. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  #replaceLeastFrequent(name: string): void {
    this.#counts.delete(this.#takeLeastFrequent())
    this.#counts.set(name, this.#lowest + 1)
  }

  /**
   * Searches all counts only when the names that the last search found are used up, because every denied check may call this.
   */
  #takeLeastFrequent(): string {
    for (let name = this.#least.pop(); name !== undefined; name = this.#least.pop()) {
      if (this.#counts.get(name) === this.#lowest) return name
    }
    this.#lowest = Math.min(...this.#counts.values())
    for (const [name, count] of this.#counts) if (count === this.#lowest) this.#least.push(name)
    return this.#least.pop() as string
  }
}

/** Combines the counts of two sketches. */
export function mergeSketches(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): Map<string, number> {
  const unseenInOne = maxUnseenCountOf(one)
  const unseenInOther = maxUnseenCountOf(other)
  const names = new Set([...one.keys(), ...other.keys()])
  const merged = Array.from(names, (name): [string, number] => [
    name,
    (one.get(name) ?? unseenInOne) + (other.get(name) ?? unseenInOther),
  ])
  return new Map(takeMostFrequent(merged, sketchSize))
}

/** The maximum number of times that a name may have been added without being in the sketch. */
function maxUnseenCountOf(sketch: ReadonlyMap<string, number>): number {
  return sketch.size < sketchSize ? 0 : Math.min(...sketch.values())
}

/** The names with the highest counts, in descending order; names with equal counts are in alphabetical order. */
export function takeMostFrequent(counts: Iterable<[string, number]>, atMost: number): [string, number][] {
  return [...counts].sort(([name, count], [other, more]) => more - count || (name < other ? -1 : 1)).slice(0, atMost)
}
