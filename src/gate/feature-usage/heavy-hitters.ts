/** The number of slots in a sketch; the most frequent twenty names of them are shown. */
export const sketchSize = 50

/**
 * The most frequent of many names, in bounded memory: a Space-Saving sketch (Metwally and others, 2005). Once it is full, a new
 * name takes over the slot and the count of the least frequent one. So a count is never too low for a name that stayed, and a
 * name that makes up more than a fiftieth of all is in it.
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

  /** Searches all counts only once the names that it found last time are used up: every denied check comes here. */
  #takeLeastFrequent(): string {
    for (let name = this.#least.pop(); name !== undefined; name = this.#least.pop()) {
      if (this.#counts.get(name) === this.#lowest) return name
    }
    this.#lowest = Math.min(...this.#counts.values())
    for (const [name, count] of this.#counts) if (count === this.#lowest) this.#least.push(name)
    return this.#least.pop() as string
  }
}

/** The sketch of the combined counts of two sketches. */
export function mergeSketches(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): Map<string, number> {
  const unseenInOne = leastOf(one)
  const unseenInOther = leastOf(other)
  const names = new Set([...one.keys(), ...other.keys()])
  const merged = Array.from(names, (name): [string, number] => [
    name,
    (one.get(name) ?? unseenInOne) + (other.get(name) ?? unseenInOther),
  ])
  return new Map(mostFrequent(merged, sketchSize))
}

/** How often a name that is not in the sketch may have been counted. */
function leastOf(sketch: ReadonlyMap<string, number>): number {
  return sketch.size < sketchSize ? 0 : Math.min(...sketch.values())
}

/** The first by count, and then by name. */
export function mostFrequent(counts: Iterable<[string, number]>, atMost: number): [string, number][] {
  return [...counts].sort(([name, count], [other, more]) => more - count || (name < other ? -1 : 1)).slice(0, atMost)
}
