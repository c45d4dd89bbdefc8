/** The maximum number of units that one owner may hold, and that all owners together may hold. */
export type SemaphoreLimits = { ofOne: number; ofAll: number }

/** Limits how many units of a scarce resource, such as slots or bytes of memory, owners hold at the same time. */
export class Semaphore {
  readonly #limits: SemaphoreLimits
  readonly #unitsByOwner = new Map<string, number>()
  #heldUnits = 0
  #whenIdle: (() => void)[] = []

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits
  }

  /** The limit that taking `units` more would exceed, or null. An owner who holds nothing may take all free units. */
  exceededLimit(owner: string, units = 1): 'ofOne' | 'ofAll' | null {
    const own = this.unitsHeldBy(owner)
    if (own > 0 && own + units > this.#limits.ofOne) return 'ofOne'
    return this.#heldUnits + units > this.#limits.ofAll ? 'ofAll' : null
  }

  /** Takes units without checking the limits (see `exceededLimit`). The returned release function may be called repeatedly. */
  take(owner: string, units = 1): () => void {
    this.#change(owner, units)
    let isHeld = true
    return () => {
      if (isHeld) this.#change(owner, -units)
      isHeld = false
    }
  }

  /** Runs the work while it holds one unit, without checking the limits (see `exceededLimit`). */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const release = this.take(owner)
    try {
      return await work()
    } finally {
      release()
    }
  }

  get isFull(): boolean {
    return this.#heldUnits >= this.#limits.ofAll
  }

  unitsHeldBy(owner: string): number {
    return this.#unitsByOwner.get(owner) ?? 0
  }

  /** Resolves once no units are held. */
  idle(): Promise<void> {
    return this.#unitsByOwner.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  #change(owner: string, units: number): void {
    const own = this.unitsHeldBy(owner) + units
    if (own > 0) this.#unitsByOwner.set(owner, own)
    else this.#unitsByOwner.delete(owner)
    this.#heldUnits += units
    if (this.#unitsByOwner.size > 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}
