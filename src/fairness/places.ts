import { DomainError, Overloaded } from '../core/errors.ts'

export type PlaceLimits = {
  ofOne: number
  ofAll: number
}

/** The long requests that run in this process, counted for each owner. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #taken = new Map<string, number>()
  #all = 0
  #whenIdle: (() => void)[] = []

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** Returns the function that gives the place back. 429 if the owner has all of its places, 503 if none is left. */
  take(owner: string): () => void {
    const own = this.#taken.get(owner) ?? 0
    if (own >= this.#limits.ofOne) {
      throw new DomainError(
        'RATE_LIMITED',
        `${own} of these run already for your organization. Wait until one has ended, then try again.`,
        { retry_after_seconds: 5 },
      )
    }
    if (this.#all >= this.#limits.ofAll) {
      throw new Overloaded('Too many of these run already, of other organizations. Try again in a moment.')
    }
    this.#taken.set(owner, own + 1)
    this.#all += 1
    return () => this.#leave(owner)
  }

  /** Resolves once nobody has a place. */
  idle(): Promise<void> {
    return this.#all === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  #leave(owner: string): void {
    const left = (this.#taken.get(owner) ?? 0) - 1
    if (left > 0) this.#taken.set(owner, left)
    else this.#taken.delete(owner)
    this.#all -= 1
    if (this.#all > 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}
