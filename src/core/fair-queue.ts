import { Overloaded } from './errors.ts'

export type QueueLimits = {
  /** Places for all owners together. */
  atOnce: number
  /** Places for one owner. */
  atOnceOfOne: number
  /** Waiting requests of one owner. */
  waitingOfOne: number
  /** Waiting requests of all owners. */
  waiting: number
  maxWaitMs: number
  /** The maximum wait while nothing ends: then the database is unavailable, and waiting longer would not help. */
  maxStallMs: number
}

type Waiting = { start: () => void }

/** The running and waiting work of an owner; removed once there is none. */
type Share = { running: number; waiting: Waiting[] }

/**
 * Work that takes database connections: an owner (an organization, or a person) has a few places at a time, and waiting
 * owners alternate. So the requests of one owner, however many and slow, leave connections to the others. Work that waits
 * too long, or behind too much work of the same owner, is refused with 503.
 */
export class FairQueue {
  readonly #limits: QueueLimits
  readonly #shares = new Map<string, Share>()
  #running = 0
  #waiting = 0
  #lastEndAt = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Runs the work when its turn comes, and resolves to its result. */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const share = this.#shareOf(owner)
    if (this.#mayStart(share)) this.#start(share)
    else await this.#wait(owner, share)
    try {
      return await work()
    } finally {
      this.#end(owner, share)
    }
  }

  #shareOf(owner: string): Share {
    const known = this.#shares.get(owner)
    if (known) return known
    const share: Share = { running: 0, waiting: [] }
    this.#shares.set(owner, share)
    return share
  }

  #mayStart({ running }: Share): boolean {
    return this.#running < this.#limits.atOnce && running < this.#limits.atOnceOfOne
  }

  #start(share: Share): void {
    share.running += 1
    this.#running += 1
  }

  #wait(owner: string, share: Share): Promise<void> {
    const { waitingOfOne, waiting: waitingOfAll } = this.#limits
    if (share.waiting.length >= waitingOfOne) {
      throw new Overloaded(
        `More than ${waitingOfOne} of your requests wait already, so this one did not run. Send fewer at once, and try again in a moment.`,
      )
    }
    if (this.#waiting >= waitingOfAll) {
      throw new Overloaded('Too many requests wait at this moment, so this one did not run. Try again in a moment.')
    }
    return new Promise((resolve, reject) => {
      const arrivedAt = performance.now()
      const waiting: Waiting = {
        start: () => {
          clearTimeout(timer)
          this.#waiting -= 1
          this.#start(share)
          resolve()
        },
      }
      const look = () => {
        const leftMs = this.#leftMs(arrivedAt)
        if (leftMs > 0) {
          timer = setTimeout(look, leftMs)
          return
        }
        this.#waiting -= 1
        share.waiting.splice(share.waiting.indexOf(waiting), 1)
        this.#forgetIdle(owner, share)
        reject(
          new Overloaded(
            'Others of your requests, or of other callers, took too long. Nothing ran; try again in a moment.',
          ),
        )
      }
      let timer = setTimeout(look, this.#leftMs(arrivedAt))
      share.waiting.push(waiting)
      this.#waiting += 1
    })
  }

  /** For how long work that arrived at this moment may still wait, in the current state. */
  #leftMs(arrivedAt: number): number {
    const { maxWaitMs, maxStallMs } = this.#limits
    return Math.min(arrivedAt + maxWaitMs, Math.max(arrivedAt, this.#lastEndAt) + maxStallMs) - performance.now()
  }

  #end(owner: string, share: Share): void {
    this.#lastEndAt = performance.now()
    share.running -= 1
    this.#running -= 1
    this.#startNext()
    this.#forgetIdle(owner, share)
  }

  /** The owner whose work starts goes behind all others. */
  #startNext(): void {
    for (const [owner, share] of this.#shares) {
      if (share.waiting.length === 0 || !this.#mayStart(share)) continue
      this.#shares.delete(owner)
      this.#shares.set(owner, share)
      share.waiting.shift()?.start()
      return
    }
  }

  #forgetIdle(owner: string, share: Share): void {
    if (share.running === 0 && share.waiting.length === 0 && this.#shares.get(owner) === share)
      this.#shares.delete(owner)
  }
}
