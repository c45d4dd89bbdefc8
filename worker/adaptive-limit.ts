/** The limit before a receiver's first answer. */
const initialLimit = 8
/** Four acknowledged attempts raise the limit by one. */
const step = 1 / 4
/** Answers are slow when the recent average exceeds this multiple of the usual time plus this many milliseconds. */
const slowThreshold = { multiple: 2, extraMs: 50 }
/** The weight of one answer in each moving average. */
const weights = { recent: 1 / 8, usual: 1 / 128 }

type FinishedAttemptTimes = { acknowledged: boolean; startedAt: number; finishedAt: number }

/**
 * How many attempts of one organization may be in flight. The limit grows in steps while the receiver acknowledges as quickly
 * as usual. It is halved, down to one, when the receiver fails or slows down.
 */
export class AdaptiveLimit {
  readonly #maxLimit: number
  #limit: number
  #recentMs: number | null = null
  #usualMs = 0
  #halvedAt = Number.NEGATIVE_INFINITY

  constructor(maxLimit: number) {
    this.#maxLimit = maxLimit
    this.#limit = Math.min(initialLimit, maxLimit)
  }

  get value(): number {
    return Math.floor(this.#limit)
  }

  /** Adapts the limit to a finished attempt; times are on the clock of `performance.now()`. */
  adaptTo({ acknowledged, startedAt, finishedAt }: FinishedAttemptTimes): void {
    if (!acknowledged) this.#halve(finishedAt)
    else if (!this.#isSlow(finishedAt - startedAt)) this.#limit = Math.min(this.#maxLimit, this.#limit + step)
    // Attempts that started before the limit was halved say nothing about the new limit.
    else if (startedAt >= this.#halvedAt) this.#halve(finishedAt)
  }

  #halve(now: number): void {
    this.#limit = Math.max(1, this.#limit / 2)
    this.#halvedAt = now
  }

  /**
   * Whether the receiver has become slow. The usual time follows slower answers only slowly: if a lower limit does not make the
   * receiver faster, its slower answers become usual in the end, and the limit rises again.
   */
  #isSlow(durationMs: number): boolean {
    const recentMs = this.#recentMs === null ? durationMs : movingAverage(this.#recentMs, durationMs, weights.recent)
    this.#usualMs =
      this.#recentMs === null ? durationMs : Math.min(recentMs, movingAverage(this.#usualMs, recentMs, weights.usual))
    this.#recentMs = recentMs
    return recentMs > this.#usualMs * slowThreshold.multiple + slowThreshold.extraMs
  }
}

function movingAverage(average: number, value: number, weight: number): number {
  return average + (value - average) * weight
}
