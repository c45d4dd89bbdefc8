import type pg from 'pg'
import type { Cursor, Position } from './position.ts'
import { readChanges } from './read-changes.ts'

/** Each is a few characters of a cursor. */
const mostRunning = 200

/** Reads where those begin who want to hear of everything that an eval does not show: a cursor from before the eval. */
export class CurrentCursor {
  readonly #pool: pg.Pool
  #running: Promise<Cursor> | null = null
  #next: Promise<Cursor> | null = null

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** One read at a time: everybody who asks while one is running shares the next. */
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
    return { epoch, atMs, position: shorten(position) }
  }
}

/** Goes back to the oldest transaction if very many are running, so that the cursor is short enough for an address. */
function shorten(position: Position): Position {
  const { running } = position
  return running.length <= mostRunning ? position : { next: Math.min(...running), running: [], after: '' }
}
