import type pg from 'pg'
import type { Cursor } from './position.ts'
import { readChanges } from './read-changes.ts'

/** One read serves everybody who asks for this long. */
const recentMs = 1_000

/** Where those begin who want to hear of everything that an eval does not show: a cursor from before the eval. */
export class RecentCursor {
  readonly #pool: pg.Pool
  #askedAt = Number.NEGATIVE_INFINITY
  #cursor: Promise<Cursor> | null = null

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** From about a second ago at the earliest. Changes that committed since then are heard of, although they may be known. */
  read(): Promise<Cursor> {
    const now = performance.now()
    if (this.#cursor && now - this.#askedAt < recentMs) return this.#cursor
    this.#askedAt = now
    const cursor = this.#readNow()
    this.#cursor = cursor
    cursor.catch(() => {
      if (this.#cursor === cursor) this.#cursor = null
    })
    return cursor
  }

  /** Goes back to the oldest running transaction, so that the cursor is short enough for an address. */
  async #readNow(): Promise<Cursor> {
    const { epoch, atMs, position } = await readChanges(this.#pool, [], null, 1)
    const next = Math.min(position.next, ...position.running)
    return { epoch, atMs, position: { next, running: [], after: '' } }
  }
}
