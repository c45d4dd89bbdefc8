/**
 * Long work is done in slices of a few milliseconds, one for each turn of the event loop, so that short requests come in
 * between. Those who wait are served in turn by tenant, so that many slices of one do not hold up another.
 */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>()
  #isScheduled = false

  /** Resolves in a turn of the event loop that no other slice has. */
  next(tenant: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(tenant)
      if (waiting === undefined) this.#waiting.set(tenant, [resolve])
      else waiting.push(resolve)
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#serveFirst()
      this.#schedule()
    })
  }

  #serveFirst(): void {
    for (const [tenant, waiting] of this.#waiting) {
      this.#waiting.delete(tenant)
      waiting.shift()?.()
      // Behind the others.
      if (waiting.length > 0) this.#waiting.set(tenant, waiting)
      return
    }
  }
}

/** The event loop is one, and so is the list of who waits for it. */
export const turns = new Turns()
