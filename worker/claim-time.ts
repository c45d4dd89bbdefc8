import { claimMs } from '../src/events/claim.ts'

/** Claims last this many times as long as the database takes to answer one. */
const claimTimes = 4
/** Once answers were slow, claims last longer for this time. */
const slowForMs = 60_000

/**
 * How long this worker's claims last: if they lapsed before the answer to them could be used, nothing would ever be sent. A lane's
 * row must have the time before a claim uses it.
 */
export class ClaimTime {
  #ms = claimMs.atLeast
  #slowUntil = 0

  get ms(): number {
    return this.#ms
  }

  /** Called when lanes are taken, which may begin with shorter claims than before. */
  shortenIfQuick(now: number): void {
    if (now > this.#slowUntil) this.#ms = claimMs.atLeast
  }

  /** An answer took so long. Returns whether claims last longer from now on. */
  adaptTo(tookMs: number, now: number): boolean {
    const wantedMs = Math.min(claimMs.atMost, Math.ceil(tookMs * claimTimes))
    if (wantedMs > claimMs.atLeast) this.#slowUntil = now + slowForMs
    if (wantedMs <= this.#ms) return false
    this.#ms = wantedMs
    return true
  }
}
