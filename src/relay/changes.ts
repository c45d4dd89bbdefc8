import { randomBytes } from 'node:crypto'
import { plainCursors } from '../changes/cursors.ts'
import type { ChangeEvent } from '../client/change-event.ts'
import type { FeedListener } from '../client/feed.ts'

/** A change as followers receive it. */
type RelayChange = { type: string; body: string }

/** The next changes for a follower. */
export type RelayPage = { changes: readonly RelayChange[]; cursor: string; hasMore: boolean; isReset: boolean }

const max = { changes: 10_000, bytes: 16 * 1024 * 1024 }

/**
 * The latest changes that the relay received, for its followers. Its cursors have the same format as the service's. A new epoch
 * begins when the process starts, and after each reset of the upstream.
 */
export class RelayChanges implements FeedListener {
  #epoch = newEpoch()
  /** The latest changes; the first has the number `#firstNumber`. */
  #changes: RelayChange[] = []
  #firstNumber = 0
  #bytes = 0
  readonly #messageCounts = { all: 0, alive: 0 }
  readonly #waiting = new Set<() => void>()

  changed(event: ChangeEvent): void {
    const body = JSON.stringify(event)
    this.#changes.push({ type: event.type, body })
    this.#bytes += body.length
    while (this.#changes.length > max.changes || this.#bytes > max.bytes) this.#dropOldest()
    this.#wake()
  }

  /** Begins a new epoch: followers must drop their cached answers, as this relay did. */
  reset(): void {
    this.#epoch = newEpoch()
    this.#changes = []
    this.#firstNumber = 0
    this.#bytes = 0
    this.#wake()
  }

  alive(): void {
    this.#messageCounts.alive += 1
    this.#wake()
  }

  silent(): void {}

  failed(): void {}

  /** Returns the changes after the cursor. If `after` is null, returns no changes and the current cursor. */
  read(after: string | null, limit: number): RelayPage {
    const end = this.#firstNumber + this.#changes.length
    if (after === null) return { changes: [], cursor: this.#toCursor(end), hasMore: false, isReset: false }
    const { epoch, position } = plainCursors.read(after)
    const isReset = epoch !== this.#epoch || position.next < this.#firstNumber || position.next > end
    if (isReset) return { changes: [], cursor: this.#toCursor(end), hasMore: false, isReset }
    const next = Math.min(position.next + limit, end)
    const changes = this.#changes.slice(position.next - this.#firstNumber, next - this.#firstNumber)
    return { changes, cursor: this.#toCursor(next), hasMore: next < end, isReset }
  }

  /** How many messages the upstream has sent, and how many of them only showed that it is alive. */
  get messageCounts(): { all: number; alive: number } {
    return { ...this.#messageCounts }
  }

  /** Resolves once a message after these counts has arrived, or the signal aborts. */
  next({ all }: { all: number }, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      if (signal.aborted || all !== this.#messageCounts.all) return resolve()
      signal.addEventListener('abort', wake)
      this.#waiting.add(wake)
    })
  }

  #toCursor(next: number): string {
    return plainCursors.write({ epoch: this.#epoch, atMs: 0, position: { next, running: [], after: '' } })
  }

  #dropOldest(): void {
    const oldest = this.#changes.shift()
    this.#bytes -= oldest?.body.length ?? 0
    this.#firstNumber += 1
  }

  #wake(): void {
    this.#messageCounts.all += 1
    for (const wake of [...this.#waiting]) wake()
  }
}

function newEpoch(): string {
  return randomBytes(8).toString('hex')
}
