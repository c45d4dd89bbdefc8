import { setTimeout as wait } from 'node:timers/promises'

/** A batch that waited for a lock or for an unavailable database is no reason to rest longer. */
const restAtMostMs = 500

type PaceOptions = {
  /** The longest that a batch should take. */
  batchMs: number
  /** The first batch has this many. Fewer are hardly faster: a statement and a commit have a cost of their own. */
  leastRows: number
  mostRows: number
  /** Ends the work early. */
  signal: AbortSignal
}

/**
 * Work on many rows that can wait a little, in batches that let callers through: each batch is as large as it can be without
 * taking long, and is followed by a rest as long as it took. So the work never takes more than half of one core of PostgreSQL,
 * and less when the machine is busy.
 */
export class Pace {
  readonly #options: PaceOptions
  #rows: number

  constructor(options: PaceOptions) {
    this.#options = options
    this.#rows = options.leastRows
  }

  /** Whether the work is to end before it is done. */
  get isEnded(): boolean {
    return this.#options.signal.aborted
  }

  /** Runs this with the maximum of rows that it may take, and rests; returns the rows that it took. */
  async batch<Row>(run: (atMost: number) => Promise<Row[]>): Promise<{ taken: Row[]; isFull: boolean }> {
    const { batchMs, leastRows, mostRows } = this.#options
    const atMost = this.#rows
    const startedAt = performance.now()
    const taken = await run(atMost)
    const tookMs = performance.now() - startedAt
    const isFull = taken.length >= atMost
    if (tookMs > batchMs) this.#rows = Math.max(leastRows, Math.floor(atMost / 2))
    else if (isFull && tookMs < batchMs / 2) this.#rows = Math.min(mostRows, atMost * 2)
    // Of very many organizations, most have nothing to do.
    if (taken.length > 0) await this.#rest(Math.min(restAtMostMs, tookMs))
    return { taken, isFull }
  }

  async #rest(ms: number): Promise<void> {
    // Cut short by the end of the work.
    await wait(ms, undefined, { signal: this.#options.signal }).catch(() => {})
  }
}
