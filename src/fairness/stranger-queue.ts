/** Requests of strangers that begin in one turn of the event loop: together they take a millisecond or two. */
const startsInTurn = 16
const maxWaiting = 4_000
const maxWaitingOfAddress = 1_000

type Start = () => void

/**
 * The requests that nobody is known to have sent: pages, files, refusals, sign-ins. A few of them begin in each turn of the
 * event loop, alternating between addresses, and the requests of known callers run in between, however many wait here.
 */
export class StrangerQueue {
  readonly #waiting = new Map<string, Start[]>()
  #count = 0
  #startsLeft = startsInTurn
  #isScheduled = false

  /** Calls `start` in its turn, at once if nobody waits and `atOnce` allows it. False: too many wait, and it is not called. */
  add(address: string, start: Start, { atOnce }: { atOnce: boolean }): boolean {
    this.#schedule()
    if (atOnce && this.#count === 0 && this.#startsLeft > 0) {
      this.#startsLeft -= 1
      start()
      return true
    }
    const waiting = this.#waiting.get(address) ?? []
    if (this.#count >= maxWaiting || waiting.length >= maxWaitingOfAddress) return false
    waiting.push(start)
    this.#waiting.set(address, waiting)
    this.#count += 1
    return true
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#takeTurn())
  }

  #takeTurn(): void {
    this.#isScheduled = false
    this.#startsLeft = startsInTurn
    while (this.#startsLeft > 0 && this.#count > 0) this.#startNext()
    if (this.#count > 0) this.#schedule()
  }

  /** The address whose request starts goes behind all others. */
  #startNext(): void {
    for (const [address, waiting] of this.#waiting) {
      this.#waiting.delete(address)
      if (waiting.length > 1) this.#waiting.set(address, waiting)
      this.#startsLeft -= 1
      this.#count -= 1
      waiting.shift()?.()
      return
    }
  }
}
