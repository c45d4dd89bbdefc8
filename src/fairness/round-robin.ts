/** Waiting items by the name of their owner. Owners take turns, however many items each of them has. */
export class RoundRobin<Item> {
  readonly #waiting = new Map<string, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The number of owners with waiting items. */
  get owners(): number {
    return this.#waiting.size
  }

  sizeOf(name: string): number {
    return this.#waiting.get(name)?.length ?? 0
  }

  add(name: string, item: Item): void {
    const waiting = this.#waiting.get(name)
    if (waiting) waiting.push(item)
    else this.#waiting.set(name, [item])
    this.#size += 1
  }

  /** The item that `next` will return. */
  get first(): Item | undefined {
    const [waiting] = this.#waiting.values()
    return waiting?.[0]
  }

  /** Removes the oldest item of the first owner, and moves this owner behind all others. */
  next(): Item | undefined {
    for (const [name, waiting] of this.#waiting) {
      this.#waiting.delete(name)
      if (waiting.length > 1) this.#waiting.set(name, waiting)
      this.#size -= 1
      return waiting.shift()
    }
    return undefined
  }

  /** Removes an item that no longer waits. */
  remove(name: string, item: Item): void {
    const waiting = this.#waiting.get(name) ?? []
    const at = waiting.indexOf(item)
    if (at === -1) return
    waiting.splice(at, 1)
    if (waiting.length === 0) this.#waiting.delete(name)
    this.#size -= 1
  }
}

/**
 * Whether an owner has its equal share, at least one item, of a queue for `limit` items. Even a full queue takes the items of
 * an owner without: otherwise a few owners could fill the queue and shut out all others.
 */
export function hasEqualShare(ownItems: number, { owners, limit }: { owners: number; limit: number }): boolean {
  return Math.max(1, ownItems) * owners >= limit
}
