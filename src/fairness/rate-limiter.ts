import { DomainError } from '../core/errors.ts'

/** Counts each owner's requests for an operation in the current second of this process. */
export class RateLimiter {
  #second = 0
  readonly #counts = new Map<string, number>()

  /** Counts a request; throws 429 beyond `perSecond`. `nowMs` must never go back. */
  take(operation: string, ownerId: string, perSecond: number, nowMs = performance.now()): void {
    const second = Math.floor(nowMs / 1000)
    if (second !== this.#second) this.#counts.clear()
    this.#second = second
    const key = `${ownerId} ${operation}`
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    if (count <= perSecond) return
    throw new DomainError(
      'RATE_LIMITED',
      `At most ${perSecond} such requests per second are allowed. Wait a second, then try again.`,
      {
        retry_after_seconds: 1,
      },
    )
  }
}
