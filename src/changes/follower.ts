import type { TokenHolder } from '../access/subscriber-token.ts'
import type { DomainError } from '../core/errors.ts'
import type { OwnChanges } from './own-changes.ts'
import { type Cursor, hasSeen, type Position } from './position.ts'
import type { Change } from './read-changes.ts'

/** The changes that one read found for all organizations that are followed, and the position after them. */
export type Batch = Cursor & {
  sentAt: number
  ofOrganization: ReadonlyMap<string, readonly Change[]>
  /** The epoch of the position is new: what followers hold is worth nothing. */
  isReset: boolean
}

type Next = { changes: readonly Change[]; cursor: Cursor; isReset: boolean }

/** A follower that is slower than this many batches reads for itself again, so that they need not be kept for it. */
const mostBatches = 32

/** Who follows, and what must stay valid: the hash of a key, or a subscriber's token. */
export type FollowerOptions = {
  organizationId: string
  credential: string | TokenHolder
  /** For a subscriber; null hears of every change. */
  own: OwnChanges | null
}

/** The place of one waiting poll or stream among the followers of a process. */
export class Follower {
  readonly organizationId: string
  readonly credential: string | TokenHolder
  readonly own: OwnChanges | null
  #batches: Batch[] = []
  #position: Position | null = null
  #hasLost = false
  #liveSince = Number.POSITIVE_INFINITY
  #yieldedAt = performance.now()
  #refusal: DomainError | null = null
  #isEnded = false
  #wake: (() => void) | null = null

  constructor({ organizationId, credential, own }: FollowerOptions) {
    this.organizationId = organizationId
    this.credential = credential
    this.own = own
  }

  /** Called before it reads for itself: that read will see what the batches so far have. */
  beginReading(): void {
    this.#batches = []
    this.#hasLost = false
    this.#liveSince = Number.POSITIVE_INFINITY
  }

  /** Called when its own read has nothing more: from here on it waits for batches, unless it has lost some. */
  goLive(position: Position): void {
    if (this.#hasLost) return
    this.#position = position
    this.#liveSince = performance.now()
    this.#yieldedAt = this.#liveSince
  }

  get isLive(): boolean {
    return this.#liveSince !== Number.POSITIVE_INFINITY
  }

  /** Offers a batch: it is taken if it has changes to hear of, or if the follower heard nothing for `aliveMs`. */
  offer(batch: Batch, aliveMs: number): void {
    const isQuiet = !batch.isReset && this.#among(batch).length === 0
    if (isQuiet && (!this.isLive || performance.now() - this.#yieldedAt < aliveMs)) return
    if (this.#hasLost) return
    if (this.#batches.push(batch) > mostBatches) {
      this.beginReading()
      this.#hasLost = true
    }
    this.#wake?.()
  }

  /** Ends it, with a refusal or without. */
  end(refusal: DomainError | null): void {
    this.#isEnded = true
    this.#refusal = refusal
    this.#wake?.()
  }

  /** The refusal with which it ended; null if it goes on, or ended without one. */
  assertAllowed(): void {
    if (this.#refusal) throw this.#refusal
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** What comes next; null when it has ended, or must read for itself again. */
  async next(): Promise<Next | null> {
    if (this.isLive && this.#batches.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = null
    }
    this.assertAllowed()
    const batch = this.isLive && !this.#isEnded ? this.#batches.shift() : undefined
    return batch ? this.#take(batch) : null
  }

  #among({ ofOrganization }: Batch): readonly Change[] {
    const changes = ofOrganization.get(this.organizationId) ?? []
    return this.own?.among(changes) ?? changes
  }

  #take(batch: Batch): Next {
    const { sentAt, epoch, atMs, position, isReset } = batch
    const seen = this.#position as Position
    const changes = this.#among(batch).filter((change) => isReset || !hasSeen(seen, change))
    // A batch from before its own read may know less than that.
    const now = sentAt >= this.#liveSince || isReset ? position : seen
    this.#position = now
    this.#yieldedAt = performance.now()
    return { changes, cursor: { epoch, atMs, position: now }, isReset }
  }
}
