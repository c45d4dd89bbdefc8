import type pg from 'pg'
import { type Cursor, shorten } from './position.ts'
import { readChanges } from './read-changes.ts'

/** The maximum of running transactions: each adds a few characters to a cursor, which must be short enough for an address. */
const maxRunning = 200

/** Reads a cursor for a client that wants every change that an eval does not show: a cursor from before the eval. */
export class CurrentCursor {
  readonly #pool: pg.Pool
  #running: Promise<Cursor> | null = null
  #next: Promise<Cursor> | null = null

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** One read at a time: all callers that arrive while one is running share the next. */
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
    const { epoch, atMs, position } = await readChanges(this.#pool, [], null, 1)
    return { epoch, atMs, position: shorten(position, maxRunning) }
  }
}
