import { batchLeaseMs } from '../src/events/batch-lease.ts'

/** A batch lease lasts this multiple of the time that the database takes to return a batch. */
const answerTimesPerLease = 4
/** How long batch leases stay extended after a slow answer. */
const slowForMs = 60_000

/**
 * How long this worker's batch leases last. If they ended before the database answered, nothing would ever be sent. A longer
 * time must be stored in the row of a delivery queue before a batch lease of this queue uses it.
 */
export class BatchLeaseTime {
  #ms = batchLeaseMs.atLeast
  #slowUntil = 0

  get ms(): number {
    return this.#ms
  }

  /**
   * Returns to the minimum if no recent answer was slow. Called only when the worker leases delivery queues, because a row's
   * stored time never becomes shorter while the queue is leased.
   */
  shortenIfQuick(now: number): void {
    if (now > this.#slowUntil) this.#ms = batchLeaseMs.atLeast
  }

  /** Adapts to the time that an answer took. Returns whether batch leases last longer from now on. */
  adaptTo(answerMs: number, now: number): boolean {
    const neededMs = Math.min(batchLeaseMs.atMost, Math.ceil(answerMs * answerTimesPerLease))
    if (neededMs > batchLeaseMs.atLeast) this.#slowUntil = now + slowForMs
    if (neededMs <= this.#ms) return false
    this.#ms = neededMs
    return true
  }
}
