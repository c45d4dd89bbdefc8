import { decodeTime } from 'ulidx'
import { type DomainError, validationError } from '../../core/errors.ts'
import { type LoggedChange, type LoggedChanges, maxChangeDelayMs } from '../audit/read-logged-changes.ts'

/** How far one request may go back, in entries and bytes: more is refused, so that no request reads without end. */
export class Reach {
  #entries = 150_000
  #bytes = 64 * 1024 * 1024

  take({ changes, bytes }: LoggedChanges): void {
    this.#entries -= changes.length
    this.#bytes -= bytes
    if (this.#entries < 0 || this.#bytes < 0) throw new OutOfReach()
  }
}

/** Thrown when a moment lies behind more changes than one request may read. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach'
}

/** The refusal of a request whose parameter leads there. */
export function tooFarBack(path: 'starting_after' | 'at'): DomainError {
  const message = `${path} lies behind more changes than one request may read. Ask for later changes.`
  return validationError([{ path, message }])
}

/** Oldest first. Ids decide between changes of one moment, such as the lines of an import. */
export function inOrderOfTime(one: LoggedChange, other: LoggedChange): number {
  return one.micros - other.micros || (one.id < other.id ? -1 : 1)
}

const pages = { first: 100, most: 3200 }

type ReadBefore = (before: string | null, limit: number) => Promise<LoggedChanges>

/**
 * The entries of one object, newest change first. They are read in the order of ids, which is nearly that of the changes: an
 * entry is given out once no older id can belong to a later change.
 */
export class Backwards {
  readonly #read: ReadBefore
  readonly #reach: Reach
  #waiting: LoggedChange[] = []
  #before: string | null = null
  #limit = pages.first
  #isRead = false

  /** `before`: an id that is later than all entries that are wanted. */
  constructor(read: ReadBefore, reach: Reach, before: string | null = null) {
    this.#read = read
    this.#reach = reach
    this.#before = before
  }

  /** The next entry, which stays the next until `take`; null when there is none. `leadsTo`: whether it led to what came after. */
  async peek(leadsTo: (change: LoggedChange) => boolean = () => true): Promise<LoggedChange | null> {
    while (!this.#isRead && !this.#isSettled()) await this.#readMore()
    const newest = this.#waiting.at(-1)
    if (!newest) return null
    if (!newest.isExact && !leadsTo(newest)) this.#bringForward(leadsTo)
    return this.#waiting.at(-1) ?? null
  }

  take(): void {
    this.#waiting.pop()
  }

  #isSettled(): boolean {
    const newest = this.#waiting.at(-1)
    if (!newest || this.#before === null) return false
    return newest.micros > (decodeTime(this.#before) + maxChangeDelayMs) * 1000
  }

  async #readMore(): Promise<void> {
    const read = await this.#read(this.#before, this.#limit)
    this.#reach.take(read)
    const { changes, isWhole } = read
    this.#limit = Math.min(this.#limit * 2, pages.most)
    this.#before = changes.at(-1)?.id ?? this.#before
    this.#isRead = isWhole
    this.#waiting = [...this.#waiting, ...changes].sort(inOrderOfTime)
  }

  /** Among old entries, which have only the time of their request, puts one first that led to the state after it. */
  #bringForward(leadsTo: (change: LoggedChange) => boolean): void {
    const newest = this.#waiting.at(-1) as LoggedChange
    const place = this.#waiting.findLastIndex(
      (change) => !change.isExact && newest.micros - change.micros < maxChangeDelayMs * 1000 && leadsTo(change),
    )
    if (place === -1) return
    const [found] = this.#waiting.splice(place, 1)
    if (found) this.#waiting.push({ ...found, micros: newest.micros })
  }
}
