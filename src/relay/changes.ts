import { randomBytes } from 'node:crypto'
import { plainCursors } from '../changes/cursors.ts'
import type { ChangeEvent } from '../client/change-event.ts'
import type { FeedListener } from '../client/feed.ts'

/** A change as followers get it. */
type Kept = { type: string; body: string }

/** The next message to a follower. */
export type RelayPage = { changes: readonly Kept[]; cursor: string; hasMore: boolean; isReset: boolean }

const most = { changes: 10_000, bytes: 16 * 1024 * 1024 }

/**
 * The latest changes that the relay received, for its followers. Its cursors have the form of the service's, with an epoch of
 * their own: each begins with a reset of the upstream, or with the process.
 */
export class RelayChanges implements FeedListener {
  #epoch = newEpoch()
  /** The latest changes; the first has the number `#first`. */
  #changes: Kept[] = []
  #first = 0
  #bytes = 0
  readonly #heard = { all: 0, alive: 0 }
  readonly #waiting = new Set<() => void>()

  changed(event: ChangeEvent): void {
    const body = JSON.stringify(event)
    this.#changes.push({ type: event.type, body })
    this.#bytes += body.length
    while (this.#changes.length > most.changes || this.#bytes > most.bytes) this.#dropOldest()
    this.#wake()
  }

  /** Followers must drop their cached answers, as this relay has. */
  reset(): void {
    this.#epoch = newEpoch()
    this.#changes = []
    this.#first = 0
    this.#bytes = 0
    this.#wake()
  }

  alive(): void {
    this.#heard.alive += 1
    this.#wake()
  }

  silent(): void {}

  failed(): void {}

  /** The changes after the cursor; null: only the current cursor. */
  read(after: string | null, limit: number): RelayPage {
    const last = this.#first + this.#changes.length
    if (after === null) return { changes: [], cursor: this.#write(last), hasMore: false, isReset: false }
    const { epoch, position } = plainCursors.read(after)
    const isReset = epoch !== this.#epoch || position.next < this.#first || position.next > last
    if (isReset) return { changes: [], cursor: this.#write(last), hasMore: false, isReset }
    const next = Math.min(position.next + limit, last)
    const changes = this.#changes.slice(position.next - this.#first, next - this.#first)
    return { changes, cursor: this.#write(next), hasMore: next < last, isReset }
  }

  /** Counts received changes, and how often the upstream showed that it is alive. */
  get heard(): { all: number; alive: number } {
    return { ...this.#heard }
  }

  /** Resolves once something newer arrives, or the signal aborts. */
  next({ all }: { all: number }, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      if (signal.aborted || all !== this.#heard.all) return resolve()
      signal.addEventListener('abort', wake)
      this.#waiting.add(wake)
    })
  }

  #write(next: number): string {
    return plainCursors.write({ epoch: this.#epoch, atMs: 0, position: { next, running: [], after: '' } })
  }

  #dropOldest(): void {
    const first = this.#changes.shift()
    this.#bytes -= first?.body.length ?? 0
    this.#first += 1
  }

  #wake(): void {
    this.#heard.all += 1
    for (const wake of [...this.#waiting]) wake()
  }
}

function newEpoch(): string {
  return randomBytes(8).toString('hex')
}
