/** The minimum time between two slices of an owner. */
const minRestMs = 1

/** After work that cannot be sliced, an owner rests this many times as long as the work took. */
const restFactor = 3

type Owner = { waiting: (() => void)[]; restsUntil: number }

/**
 * Runs long work in slices of a few milliseconds, one in each turn of the event loop, so that short requests run in between.
 * Waiting owners take turns, so that many slices of one owner do not delay another owner.
 */
export class LoopSlices {
  /** The length of a slice, after which other work gets a turn of the event loop. */
  sliceMs = 4
  readonly #tenants = new Map<string, Owner>()
  #isScheduled = false
  #last: { tenant: Owner; beganAt: number } | null = null

  /** Resolves in a turn of the event loop that no other slice uses. */
  next(name: string): Promise<void> {
    return new Promise((resolve) => {
      const tenant = this.#tenants.get(name)
      if (tenant === undefined) this.#tenants.set(name, { waiting: [resolve], restsUntil: 0 })
      else tenant.waiting.push(resolve)
      this.#schedule(setImmediate)
    })
  }

  /** Runs work that cannot be sliced in one turn of the event loop. Afterwards, the owner rests longer than the work took. */
  async runWhole<Result>(name: string, run: () => Result): Promise<Awaited<Result>> {
    await this.next(name)
    const startedAt = performance.now()
    const result = run()
    const tenant = this.#tenants.get(name)
    const now = performance.now()
    if (tenant) tenant.restsUntil = now + restFactor * (now - startedAt)
    return await result
  }

  #schedule(begin: (serve: () => void) => unknown): void {
    if (this.#isScheduled || this.#tenants.size === 0) return
    this.#isScheduled = true
    begin(() => {
      this.#isScheduled = false
      this.#restAfterLast()
      const hasServed = this.#serveOne()
      this.#schedule(hasServed ? setImmediate : (serve) => setTimeout(serve, minRestMs))
    })
  }

  /** Lets the owner of the last slice rest for as long as the slice took, so that long work uses at most half of the time. */
  #restAfterLast(): void {
    if (this.#last === null) return
    const { tenant, beganAt } = this.#last
    this.#last = null
    const now = performance.now()
    tenant.restsUntil = Math.max(tenant.restsUntil, now + Math.max(minRestMs, now - beganAt))
  }

  /** Serves the first owner that is not resting, and moves it behind the others. False if there is none. */
  #serveOne(): boolean {
    const now = performance.now()
    for (const [name, tenant] of this.#tenants) {
      if (tenant.restsUntil > now) continue
      this.#tenants.delete(name)
      const resolve = tenant.waiting.shift()
      // The owner has not requested another slice.
      if (resolve === undefined) continue
      this.#tenants.set(name, tenant)
      this.#last = { tenant, beganAt: now }
      beginTurn()
      resolve()
      return true
    }
    return false
  }
}

/** One instance, because a process has one event loop. */
export const loopSlices = new LoopSlices()

/** When long work of any owner began in this turn of the event loop; null if none did. */
let beganAt: number | null = null

/** Whether long work has used up this turn of the event loop, so that its remainder must wait for `loopSlices.next`. */
export function isSliceOver(): boolean {
  const now = performance.now()
  if (beganAt === null) {
    beganAt = now
    setImmediate(beginTurn)
  }
  return now - beganAt > loopSlices.sliceMs
}

function beginTurn(): void {
  beganAt = null
}

/**
 * Returns a function that long work of one owner must call often. Its promise resolves at once, or in a later turn of the event
 * loop if the slice is over.
 */
export function pauseAfterSlices(tenant: string): () => Promise<void> {
  return async () => {
    if (isSliceOver()) await loopSlices.next(tenant)
  }
}
