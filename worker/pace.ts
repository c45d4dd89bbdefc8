import { setTimeout as wait } from 'node:timers/promises'

/** The longest that a batch should take. */
const batchMs = 15
/** Fewer are hardly faster, because a statement and a commit have a cost of their own. */
const leastRows = 100
/** A batch that waited for a lock or for an unavailable database is no reason to rest longer. */
const restAtMostMs = 500

export type PaceOptions = { mostRows: number; signal: AbortSignal }

/**
 * Work on many rows that can wait a little, in batches that let callers through: each batch is as large as it can be without
 * taking long, and is followed by a rest as long as it took. So the work never takes more than half of one core of PostgreSQL,
 * and less when the machine is busy. Decision 26.
 */
export class Pace {
  readonly #options: PaceOptions
  #rows = leastRows

  constructor(options: PaceOptions) {
    this.#options = options
  }

  /** Whether the work is to end before it is done. */
  get isEnded(): boolean {
    return this.#options.signal.aborted
  }

  /** Runs this with the maximum of rows that it may take, and rests; returns the rows that it took. */
  async batch<Row>(run: (atMost: number) => Promise<Row[]>): Promise<{ taken: Row[]; isFull: boolean }> {
    const atMost = this.#rows
    const startedAt = performance.now()
    const taken = await run(atMost)
    const tookMs = performance.now() - startedAt
    const isFull = taken.length >= atMost
    if (tookMs > batchMs) this.#rows = Math.max(leastRows, Math.floor(atMost / 2))
    else if (isFull && tookMs < batchMs / 2) this.#rows = Math.min(this.#options.mostRows, atMost * 2)
    await this.#rest(Math.min(restAtMostMs, tookMs))
    return { taken, isFull }
  }

  async #rest(ms: number): Promise<void> {
    // Cut short by the end of the work.
    await wait(ms, undefined, { signal: this.#options.signal }).catch(() => {})
  }
}
