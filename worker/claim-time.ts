import { claimMs } from '../src/events/claim.ts'

/** The length of a claim, as a multiple of the time that the database takes to answer one. */
const claimTimes = 4
/** After a slow answer, claims last longer for this time. */
const slowForMs = 60_000

/**
 * How long this worker's claims last: if they lapsed before their answers arrived, nothing would ever be sent. A lane's row must
 * have the new time before a claim uses it.
 */
export class ClaimTime {
  #ms = claimMs.atLeast
  #slowUntil = 0

  get ms(): number {
    return this.#ms
  }

  /** Called when the worker takes lanes: newly taken lanes may have shorter claims. */
  shortenIfQuick(now: number): void {
    if (now > this.#slowUntil) this.#ms = claimMs.atLeast
  }

  /** Adapts to the time of an answer. Returns whether claims last longer from now on. */
  adaptTo(tookMs: number, now: number): boolean {
    const wantedMs = Math.min(claimMs.atMost, Math.ceil(tookMs * claimTimes))
    if (wantedMs > claimMs.atLeast) this.#slowUntil = now + slowForMs
    if (wantedMs <= this.#ms) return false
    this.#ms = wantedMs
    return true
  }
}
