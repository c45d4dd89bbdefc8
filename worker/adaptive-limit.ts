/** The limit before the first answer of a receiver. */
const initialLimit = 8
/** Four acknowledged attempts raise the limit by one. */
const step = 1 / 4
/** An answer is slow if recent answers take more than this many times the usual time, and this much longer. */
const slowFactor = { times: 2, byMs: 50 }
/** The weight of one answer in the recent time, and in the usual time. */
const weights = { lately: 1 / 8, usually: 1 / 128 }

type FinishedAttemptTimes = { acknowledged: boolean; startedAt: number; finishedAt: number }

/**
 * How many attempts of one organization may be in flight: additive increase while its receiver acknowledges as quickly as
 * usual, multiplicative decrease, down to one, while it fails or slows down.
 */
export class AdaptiveLimit {
  readonly #most: number
  #limit: number
  #latelyMs: number | null = null
  #usualMs = 0
  #halvedAt = Number.NEGATIVE_INFINITY

  constructor(most: number) {
    this.#most = most
    this.#limit = Math.min(initialLimit, most)
  }

  get value(): number {
    return Math.floor(this.#limit)
  }

  /** Takes the end of an attempt; times are on the clock of `performance.now()`. */
  take({ acknowledged, startedAt, finishedAt }: FinishedAttemptTimes): void {
    if (!acknowledged) this.#halve(finishedAt)
    else if (!this.#isSlow(finishedAt - startedAt)) this.#limit = Math.min(this.#most, this.#limit + step)
    // Attempts that started before the limit was halved say nothing about the lower one.
    else if (startedAt >= this.#halvedAt) this.#halve(finishedAt)
  }

  #halve(now: number): void {
    this.#limit = Math.max(1, this.#limit / 2)
    this.#halvedAt = now
  }

  /** The usual time adapts slowly to slower answers: if a lower limit does not help, it was not the cause, and rises again. */
  #isSlow(tookMs: number): boolean {
    const latelyMs = this.#latelyMs === null ? tookMs : movingAverage(this.#latelyMs, tookMs, weights.lately)
    this.#usualMs =
      this.#latelyMs === null ? tookMs : Math.min(latelyMs, movingAverage(this.#usualMs, latelyMs, weights.usually))
    this.#latelyMs = latelyMs
    return latelyMs > this.#usualMs * slowFactor.times + slowFactor.byMs
  }
}

function movingAverage(before: number, now: number, weight: number): number {
  return before + (now - before) * weight
}
