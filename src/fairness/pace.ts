import { setTimeout as wait } from 'node:timers/promises'

/** The longest rest: after a batch that only waited for a lock or an unavailable database, a longer rest is not needed. */
const maxRestMs = 500

type PaceOptions = {
  /** The time that a batch should take at most. */
  batchMs: number
  /**
   * The size of the first and the smallest batch. Fewer rows would hardly be faster: a statement and a commit have a fixed
   * cost.
   */
  minRows: number
  maxRows: number
  /** The length of the rest after a batch, as a multiple of the batch's time; 1 if absent. */
  restRatio?: number
  /** Ends the work early. */
  signal: AbortSignal
}

/**
 * Splits background work on many rows into batches, between which callers' statements run. Each batch is as large as possible
 * without taking long, and is followed by a pause that by default lasts as long as the batch. So the work never takes more than
 * half of one core of PostgreSQL, and less when the machine is busy.
 */
export class Pace {
  readonly #options: PaceOptions
  #rows: number

  constructor(options: PaceOptions) {
    this.#options = options
    this.#rows = options.minRows
  }

  /** Whether the work must stop early. */
  get isEnded(): boolean {
    return this.#options.signal.aborted
  }

  /**
   * Calls `run` with the maximum number of rows for this batch, then rests. Returns its rows, and whether it took that many.
   */
  async batch<Row>(run: (atMost: number) => Promise<Row[]>): Promise<{ taken: Row[]; isFull: boolean }> {
    const { batchMs, minRows, maxRows, restRatio = 1 } = this.#options
    const atMost = this.#rows
    const startedAt = performance.now()
    let taken: Row[] | null = null
    try {
      taken = await run(atMost)
    } finally {
      // Work that continues with something else after a failure must not be faster than work that succeeds.
      if (taken === null) await this.#rest(maxRestMs)
    }
    const tookMs = performance.now() - startedAt
    const isFull = taken.length >= atMost
    if (tookMs > batchMs) this.#rows = Math.max(minRows, Math.floor(atMost / 2))
    else if (isFull && tookMs < batchMs / 2) this.#rows = Math.min(maxRows, atMost * 2)
    // Does not rest after an empty batch, because most organizations have no work.
    if (taken.length > 0) await this.#rest(Math.min(maxRestMs, restRatio * tookMs))
    return { taken, isFull }
  }

  /** Runs batches until one is not full or the work must stop early. Returns the number of rows that they took. */
  async drain(run: (atMost: number) => Promise<unknown[]>): Promise<number> {
    let count = 0
    let isFull = true
    while (isFull && !this.isEnded) {
      const batch = await this.batch(run)
      count += batch.taken.length
      isFull = batch.isFull
    }
    return count
  }

  async #rest(ms: number): Promise<void> {
    // The signal ends the rest early.
    await wait(ms, undefined, { signal: this.#options.signal }).catch(() => {})
  }
}
