/** After a slice, the tenant's next one waits at least so long: with slices of 64 KB, 64 MB a second at most. */
const restMs = 1

type Tenant = { waiting: (() => void)[]; restsUntil: number }

/**
 * Long work is done in slices of a few milliseconds, one for each turn of the event loop, so that short requests come in
 * between. Those who wait are served in turn by tenant, so that many slices of one do not hold up another.
 */
export class Turns {
  readonly #tenants = new Map<string, Tenant>()
  #isScheduled = false

  /** Resolves in a turn of the event loop that no other slice has. */
  next(name: string): Promise<void> {
    return new Promise((resolve) => {
      const tenant = this.#tenants.get(name)
      if (tenant === undefined) this.#tenants.set(name, { waiting: [resolve], restsUntil: 0 })
      else tenant.waiting.push(resolve)
      this.#schedule(setImmediate)
    })
  }

  /** Keeps the tenant's next slice waiting for so long, after one that took longer than a slice should. */
  rest(name: string, ms: number): void {
    const tenant = this.#tenants.get(name)
    if (tenant) tenant.restsUntil = performance.now() + ms
  }

  #schedule(begin: (serve: () => void) => unknown): void {
    if (this.#isScheduled || this.#tenants.size === 0) return
    this.#isScheduled = true
    begin(() => {
      this.#isScheduled = false
      const hasServed = this.#serveOne()
      this.#schedule(hasServed ? setImmediate : (serve) => setTimeout(serve, restMs))
    })
  }

  /** Serves the first tenant that does not rest, and puts it behind the others. */
  #serveOne(): boolean {
    const now = performance.now()
    for (const [name, tenant] of this.#tenants) {
      if (tenant.restsUntil > now) continue
      this.#tenants.delete(name)
      const resolve = tenant.waiting.shift()
      // It asked for nothing while it rested.
      if (resolve === undefined) continue
      this.#tenants.set(name, { waiting: tenant.waiting, restsUntil: now + restMs })
      resolve()
      return true
    }
    return false
  }
}

/** The event loop is one, and so is the list of who waits for it. */
export const turns = new Turns()
