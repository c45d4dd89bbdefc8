import { Overloaded } from '../core/errors.ts'

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
  /** After work that took longer than this, the owner's next work waits as long again; absent: not at all. */
  restsAfterMs?: number
}

/** Whose places work takes. The parts of an owner, such as the organizations that one person created, alternate in them. */
export type Share = { owner: string; part: string }

type Waiting = { part: string; start: () => void }

/** The running and waiting work of an owner; removed once there is none, and the owner has rested. */
type Owner = {
  name: string
  running: number
  waiting: number
  /** Waiting work by part, in the order in which the parts are served. */
  parts: Map<string, Waiting[]>
  restsUntil: number
}

/** Longer rests would only make the owner's requests fail. */
const maxRestMs = 5_000

/**
 * Work that takes database connections: an owner (a person with the organizations that they created, another organization,
 * or an address) has a few places at a time, and waiting owners alternate. So the requests of one owner, however many and
 * slow, leave connections to the others. Work that waits too long, or behind too much work of the same owner, is refused
 * with 503.
 */
export class FairQueue {
  readonly #limits: QueueLimits
  readonly #owners = new Map<string, Owner>()
  #running = 0
  #waiting = 0
  #lastEndAt = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Owners whose work runs, waits or rests. */
  get owners(): number {
    return this.#owners.size
  }

  /** Runs the work when its turn comes, and resolves to its result. An owner without parts is given by its name. */
  async run<Result>(share: Share | string, work: () => Promise<Result>): Promise<Result> {
    const { owner: name, part } = typeof share === 'string' ? { owner: share, part: share } : share
    const owner = this.#ownerOf(name)
    if (this.#mayStart(owner)) this.#start(owner)
    else await this.#wait(owner, part)
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      this.#end(owner, startedAt)
    }
  }

  #ownerOf(name: string): Owner {
    const known = this.#owners.get(name)
    if (known) return known
    const owner: Owner = { name, running: 0, waiting: 0, parts: new Map(), restsUntil: 0 }
    this.#owners.set(name, owner)
    return owner
  }

  #mayStart({ running, restsUntil }: Owner): boolean {
    const { atOnce, atOnceOfOne } = this.#limits
    return this.#running < atOnce && running < atOnceOfOne && (restsUntil === 0 || restsUntil <= performance.now())
  }

  #start(owner: Owner): void {
    owner.running += 1
    this.#running += 1
  }

  #wait(owner: Owner, part: string): Promise<void> {
    const { waitingOfOne, waiting: waitingOfAll } = this.#limits
    if (owner.waiting >= waitingOfOne) {
      throw new Overloaded(
        `More than ${waitingOfOne} of your requests wait already, so this one did not run. Send fewer at once, and try again in a moment.`,
      )
    }
    if (this.#waiting >= waitingOfAll) {
      this.#forgetIdle(owner)
      throw new Overloaded('Too many requests wait at this moment, so this one did not run. Try again in a moment.')
    }
    return new Promise((resolve, reject) => {
      const arrivedAt = performance.now()
      const waiting: Waiting = {
        part,
        start: () => {
          clearTimeout(timer)
          this.#start(owner)
          resolve()
        },
      }
      const look = () => {
        const leftMs = this.#leftMs(arrivedAt)
        if (leftMs > 0) {
          timer = setTimeout(look, leftMs)
          return
        }
        this.#remove(owner, waiting)
        this.#forgetIdle(owner)
        reject(
          new Overloaded(
            'Your request waited too long behind others. Nothing ran; try again in a moment.',
          ),
        )
      }
      let timer = setTimeout(look, this.#leftMs(arrivedAt))
      this.#add(owner, waiting)
    })
  }

  #add(owner: Owner, waiting: Waiting): void {
    const ofPart = owner.parts.get(waiting.part)
    if (ofPart) ofPart.push(waiting)
    else owner.parts.set(waiting.part, [waiting])
    owner.waiting += 1
    this.#waiting += 1
  }

  #remove(owner: Owner, waiting: Waiting): void {
    const ofPart = owner.parts.get(waiting.part) ?? []
    ofPart.splice(ofPart.indexOf(waiting), 1)
    if (ofPart.length === 0) owner.parts.delete(waiting.part)
    owner.waiting -= 1
    this.#waiting -= 1
  }

  /** For how long work that arrived at this moment may still wait, in the current state. */
  #leftMs(arrivedAt: number): number {
    const { maxWaitMs, maxStallMs } = this.#limits
    return Math.min(arrivedAt + maxWaitMs, Math.max(arrivedAt, this.#lastEndAt) + maxStallMs) - performance.now()
  }

  #end(owner: Owner, startedAt: number): void {
    const { restsAfterMs = Number.POSITIVE_INFINITY } = this.#limits
    this.#lastEndAt = performance.now()
    const tookMs = this.#lastEndAt - startedAt
    owner.running -= 1
    this.#running -= 1
    if (tookMs > restsAfterMs) this.#rest(owner, Math.min(tookMs, maxRestMs))
    this.#startNext()
    this.#forgetIdle(owner)
  }

  #rest(owner: Owner, ms: number): void {
    owner.restsUntil = performance.now() + ms
    setTimeout(() => {
      // Another rest may have begun meanwhile.
      if (owner.restsUntil <= performance.now()) owner.restsUntil = 0
      this.#startNext()
      this.#forgetIdle(owner)
    }, ms + 1).unref()
  }

  /** The owner whose work starts goes behind all others, and within the owner the part. */
  #startNext(): void {
    for (const owner of this.#owners.values()) {
      if (owner.waiting === 0 || !this.#mayStart(owner)) continue
      this.#owners.delete(owner.name)
      this.#owners.set(owner.name, owner)
      const [ofPart] = owner.parts.values()
      const [next] = ofPart as [Waiting]
      this.#remove(owner, next)
      if (owner.parts.delete(next.part)) owner.parts.set(next.part, ofPart as Waiting[])
      next.start()
      return
    }
  }

  #forgetIdle(owner: Owner): void {
    const { name, running, waiting, restsUntil } = owner
    if (running === 0 && waiting === 0 && restsUntil === 0 && this.#owners.get(name) === owner)
      this.#owners.delete(name)
  }
}
