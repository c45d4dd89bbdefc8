import type pg from 'pg'
import { loadChanges } from './load-changes.ts'
import { type Cursor, shortenPosition } from './position.ts'

/** The maximum number of running transactions in a cursor, which must be short enough for a URL. */
const maxRunning = 200

/** Reads the current cursor before an eval, so that a client can follow all changes that the eval does not include. */
export class CurrentCursor {
  readonly #pool: pg.Pool
  #running: Promise<Cursor> | null = null
  #next: Promise<Cursor> | null = null

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Runs one read at a time: all callers that arrive during a read share the next one. */
  read(): Promise<Cursor> {
    this.#next ??= this.#readNext()
    return this.#next
  }

  async #readNext(): Promise<Cursor> {
    await this.#running?.catch(() => {})
    const running = this.#readNow()
    this.#running = running
    this.#next = null
    return running
  }

  async #readNow(): Promise<Cursor> {
    const { epoch, atMs, position } = await loadChanges(this.#pool, [], null, 1)
    return { epoch, atMs, position: shortenPosition(position, maxRunning) }
  }
}
