import { hasEqualShare, RoundRobin } from './round-robin.ts'

/** How many requests may begin in one turn of the event loop: together they take less than a millisecond. */
const maxStartsPerTurn = 4
const maxWaiting = 4_000
const maxWaitingPerAddress = 1_000

/**
 * Queues requests whose sender is not known: pages, files, refusals, sign-ins. A few of them begin in each turn of the event
 * loop. Addresses take turns, and requests of known callers run in between, however many requests wait here.
 */
export class AnonymousQueue {
  readonly #waiting = new RoundRobin<() => void>()
  #startsLeft = maxStartsPerTurn
  #isScheduled = false

  /**
   * Calls `start` in a later turn of the event loop; or at once if `atOnce` is set, no request waits, and this turn may start
   * more requests. Returns false, and never calls `start`, if too many requests wait.
   */
  add(address: string, start: () => void, { atOnce }: { atOnce: boolean }): boolean {
    this.#schedule()
    if (atOnce && this.#waiting.size === 0 && this.#startsLeft > 0) {
      this.#startsLeft -= 1
      start()
      return true
    }
    if (this.#isFullFor(address)) return false
    this.#waiting.add(address, start)
    return true
  }

  #isFullFor(address: string): boolean {
    const { size, owners } = this.#waiting
    const ownSize = this.#waiting.sizeOf(address)
    if (ownSize >= maxWaitingPerAddress) return true
    return size >= maxWaiting && hasEqualShare(ownSize, { owners, limit: maxWaiting })
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#startSome())
  }

  #startSome(): void {
    this.#isScheduled = false
    this.#startsLeft = maxStartsPerTurn
    while (this.#startsLeft > 0 && this.#waiting.size > 0) {
      this.#startsLeft -= 1
      this.#waiting.next()?.()
    }
    if (this.#waiting.size > 0) this.#schedule()
  }
}
