import { Overloaded, unavailable } from '../core/errors.ts'
import { hasEqualShare, RoundRobin } from './round-robin.ts'
import { Semaphore, type SemaphoreLimits } from './semaphore.ts'

type QueueLimits = {
  /** Slots for all owners together. */
  atOnce: number
  /** Slots for one owner. */
  atOnceOfOne: number
  /** The maximum number of waiting requests of one owner. */
  waitingOfOne?: number
  /** The maximum number of waiting requests of all owners. */
  waiting?: number
  maxWaitMs?: number
  /** The maximum wait while no work ends: the database is then unavailable, so waiting longer would not help. */
  maxStallMs?: number
  /** After work that took at least this long, the owner rests `restFactor` times as long. By default, owners never rest. */
  restsAfterMs?: number
  restFactor?: number
  /** Limits for work that declares how many bytes it will keep in memory. */
  memory?: MemoryLimits
}

/** Work of at least `largeBytes` may use only `largeAtOnce` slots, so that small work does not wait long behind it. */
type MemoryLimits = SemaphoreLimits & { largeBytes: number; largeAtOnce: number }

/** The work uses this owner's slots. The parts of an owner, such as the organizations that a person created, take turns. */
export type Share = { owner: string; part: string }

type WaitingWork = { part: string; bytes: number; start: () => void; refuse: (refusal: Error) => void }

/** An owner is forgotten once it has no running or waiting work and does not rest. */
type Owner = { name: string; waiting: RoundRobin<WaitingWork>; restsUntil: number }

/** The maximum rest: a longer one would only make the owner's waiting requests fail. */
const maxRestMs = 4_000

const unlimited = Number.POSITIVE_INFINITY
const noMemoryLimits = { ofOne: unlimited, ofAll: unlimited, largeBytes: unlimited, largeAtOnce: unlimited }

/**
 * A queue for work that uses database connections, and perhaps much memory. An owner (a person with the organizations they
 * created, another organization, or an address) has a few slots, and waiting owners take turns, so that one owner's requests,
 * however many and slow, leave connections for others. Work that waits too long, or behind too much work of the same owner, is
 * refused with 503.
 */
export class FairQueue {
  readonly #limits: QueueLimits
  readonly #memoryLimits: MemoryLimits
  readonly #slots: Semaphore
  readonly #slotsOfLarge: Semaphore
  readonly #memory: Semaphore
  readonly #owners = new Map<string, Owner>()
  #waiting = 0
  #lastEndAt = 0
  #isClosed = false

  constructor(limits: QueueLimits) {
    this.#limits = limits
    this.#memoryLimits = limits.memory ?? noMemoryLimits
    this.#slots = new Semaphore({ ofOne: limits.atOnceOfOne, ofAll: limits.atOnce })
    this.#slotsOfLarge = new Semaphore({ ofOne: limits.atOnceOfOne, ofAll: this.#memoryLimits.largeAtOnce })
    this.#memory = new Semaphore(this.#memoryLimits)
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#waiting
  }

  /** The number of owners that have running or waiting work, or rest. */
  get owners(): number {
    return this.#owners.size
  }

  /**
   * Runs the work when its turn comes, and resolves to its result. `share` may be just the name of an owner without parts. Work
   * with more bytes than one owner may have runs once the owner has no other bytes in memory.
   */
  async run<Result>(share: Share | string, work: () => Promise<Result>, bytes = 0): Promise<Result> {
    if (this.#isClosed) throw shuttingDown()
    const { owner: name, part } = typeof share === 'string' ? { owner: share, part: share } : share
    const owner = this.#ownerOf(name)
    const heldBytes = Math.min(bytes, this.#memoryLimits.ofOne)
    const mayStart = owner.waiting.size === 0 && this.#mayStart(owner, heldBytes)
    const release = mayStart ? this.#take(owner, heldBytes) : await this.#wait(owner, part, heldBytes)
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      release()
      this.#end(owner, startedAt)
    }
  }

  /** Counts bytes that stay in memory after the work has ended. Returns the function that releases them. */
  reserve(owner: string, bytes: number): () => void {
    const release = this.#memory.take(owner, bytes)
    return () => {
      release()
      this.#startNext()
    }
  }

  /** Refuses waiting and new work; resolves once no work is running. */
  close(): Promise<void> {
    this.#isClosed = true
    for (const { waiting } of this.#owners.values()) {
      for (let next = waiting.first; next; next = waiting.first) next.refuse(shuttingDown())
    }
    return this.#slots.idle()
  }

  #ownerOf(name: string): Owner {
    const known = this.#owners.get(name)
    if (known) return known
    const owner: Owner = { name, waiting: new RoundRobin(), restsUntil: 0 }
    this.#owners.set(name, owner)
    return owner
  }

  #mayStart({ name, restsUntil }: Owner, bytes: number): boolean {
    if (this.#slots.exceededLimit(name) || (restsUntil !== 0 && restsUntil > performance.now())) return false
    if (bytes === 0) return true
    if (bytes >= this.#memoryLimits.largeBytes && this.#slotsOfLarge.exceededLimit(name)) return false
    return !this.#memory.exceededLimit(name, bytes)
  }

  /** Acquires a slot and memory for the work. Returns the release function. */
  #take({ name }: Owner, bytes: number): () => void {
    const releaseSlot = this.#slots.take(name)
    if (bytes === 0) return releaseSlot
    const release = this.#memory.take(name, bytes)
    const leaveLarge = bytes >= this.#memoryLimits.largeBytes ? this.#slotsOfLarge.take(name) : null
    return () => {
      releaseSlot()
      release()
      leaveLarge?.()
    }
  }

  /** Waits for a slot and memory. Resolves to the release function. */
  #wait(owner: Owner, part: string, bytes: number): Promise<() => void> {
    this.#assertMayWait(owner)
    return new Promise((resolve, reject) => {
      const arrivedAt = performance.now()
      let timer: NodeJS.Timeout | undefined
      const end = () => {
        clearTimeout(timer)
        owner.waiting.remove(part, waiting)
        this.#waiting -= 1
      }
      const waiting: WaitingWork = {
        part,
        bytes,
        start: () => {
          end()
          resolve(this.#take(owner, bytes))
        },
        refuse: (refusal) => {
          end()
          this.#forgetIdle(owner)
          reject(refusal)
        },
      }
      const checkWait = () => {
        const leftMs = this.#leftMs(arrivedAt)
        if (leftMs <= 0) waiting.refuse(waitedTooLong())
        else if (leftMs !== unlimited) timer = setTimeout(checkWait, leftMs)
      }
      owner.waiting.add(part, waiting)
      this.#waiting += 1
      checkWait()
    })
  }

  #assertMayWait(owner: Owner): void {
    const { waitingOfOne = unlimited, waiting = unlimited } = this.#limits
    if (owner.waiting.size >= waitingOfOne) {
      throw new Overloaded(
        'too_many_waiting',
        `${waitingOfOne} of your requests are already waiting, so this one did not run. Send fewer at once, and try again in a moment.`,
      )
    }
    const isFull = this.#waiting >= waiting
    if (isFull && hasEqualShare(owner.waiting.size, { owners: this.#owners.size, limit: waiting })) {
      this.#forgetIdle(owner)
      throw new Overloaded(
        'too_many_waiting',
        'Too many requests are waiting, so this one did not run. Try again in a moment.',
      )
    }
  }

  /** How many milliseconds work that arrived at `arrivedAt` may still wait, if no other work ends meanwhile. */
  #leftMs(arrivedAt: number): number {
    const { maxWaitMs = unlimited, maxStallMs = unlimited } = this.#limits
    return Math.min(arrivedAt + maxWaitMs, Math.max(arrivedAt, this.#lastEndAt) + maxStallMs) - performance.now()
  }

  #end(owner: Owner, startedAt: number): void {
    const { restsAfterMs = unlimited, restFactor = 1 } = this.#limits
    this.#lastEndAt = performance.now()
    const tookMs = this.#lastEndAt - startedAt
    if (tookMs >= restsAfterMs) this.#rest(owner, Math.min(tookMs * restFactor, maxRestMs))
    this.#startNext()
    this.#forgetIdle(owner)
  }

  #rest(owner: Owner, ms: number): void {
    owner.restsUntil = performance.now() + ms
    this.#putLast(owner)
    this.#endRest(owner, ms)
  }

  #endRest(owner: Owner, ms: number): void {
    setTimeout(() => {
      // A timer may fire up to a millisecond early, and another rest may have begun.
      const leftMs = owner.restsUntil - performance.now()
      if (leftMs > 0) return this.#endRest(owner, leftMs)
      owner.restsUntil = 0
      this.#startNext()
      this.#forgetIdle(owner)
    }, Math.ceil(ms)).unref()
  }

  /** Starts all work that may start. The owner of started work moves behind all others, as does the part within the owner. */
  #startNext(): void {
    if (this.#waiting === 0) return
    for (const owner of this.#owners.values()) {
      if (this.#slots.isFull) return
      const next = owner.waiting.first
      if (!next || !this.#mayStart(owner, next.bytes)) continue
      this.#putLast(owner)
      owner.waiting.next()
      next.start()
    }
  }

  #putLast(owner: Owner): void {
    this.#owners.delete(owner.name)
    this.#owners.set(owner.name, owner)
  }

  #forgetIdle(owner: Owner): void {
    const { name, waiting, restsUntil } = owner
    if (waiting.size > 0 || restsUntil !== 0 || this.#slots.unitsHeldBy(name) > 0) return
    if (this.#owners.get(name) === owner) this.#owners.delete(name)
  }
}

function waitedTooLong(): Error {
  return new Overloaded(
    'waited_too_long',
    'Your request waited too long behind others, so it did not run. Try again in a moment.',
  )
}

function shuttingDown(): Error {
  return unavailable('This server is shutting down. Try again in a moment.')
}
