import type { TokenSubject } from '../access/subscriber-token.ts'
import type { DomainError } from '../core/errors.ts'
import type { Change } from './load-changes.ts'
import type { OwnChanges } from './own-changes.ts'
import { type Cursor, hasSeen, type Position } from './position.ts'

/** The changes that one read found for all followed organizations, and the position after them. */
export type Batch = Cursor & {
  sentAt: number
  ofOrganization: ReadonlyMap<string, readonly Change[]>
  /** The epoch is new, so followers must drop everything that they have cached. */
  isReset: boolean
  /** Whether the read left out later changes of at least one followed organization. */
  hasMore: boolean
}

/** `isCurrent`: whether the batch was read a moment ago and left out no later changes. */
type FollowedBatch = { changes: readonly Change[]; cursor: Cursor; isReset: boolean; isCurrent: boolean }

/** A follower that lags behind by more batches reads for itself again, so that memory is bounded. */
const maxBatches = 32
/** How often a follower is told that it is up to date. */
const aliveMs = 3_500
/** A batch that was read longer ago does not prove that the follower is up to date. */
const staleMs = 1_000
const overdueRetryMs = 100

export type FollowerOptions = {
  organizationId: string
  /** The credential that must stay valid: the hash of a key, or a subscriber's token. */
  credential: string | TokenSubject
  /** The changes that a subscriber may see; null for a follower of all changes. */
  own: OwnChanges | null
  /** Called when the follower has ended, perhaps while a page is still on its way to the client. */
  onEnd?: () => void
}

/** One waiting poll or stream. */
export class Follower {
  readonly organizationId: string
  readonly credential: string | TokenSubject
  readonly own: OwnChanges | null
  readonly #onEnd: FollowerOptions['onEnd']
  #batches: Batch[] = []
  /** The latest batch without relevant changes, if this follower is a subscriber. */
  #quietBatch: Batch | null = null
  #position: Position | null = null
  #hasLostBatches = false
  #liveSince = Number.POSITIVE_INFINITY
  /** When the follower was last told that it is up to date. */
  #aliveAt = performance.now()
  #refusal: DomainError | null = null
  #isEnded = false
  #wake: (() => void) | null = null

  constructor({ organizationId, credential, own, onEnd }: FollowerOptions) {
    this.organizationId = organizationId
    this.credential = credential
    this.own = own
    this.#onEnd = onEnd
  }

  /** Called before the follower reads for itself: its read will find all changes of the batches so far. */
  beginReading(): void {
    this.#batches = []
    this.#quietBatch = null
    this.#hasLostBatches = false
    this.#liveSince = Number.POSITIVE_INFINITY
  }

  /**
   * Called when the follower's own read found no more changes. The follower then waits for batches, unless it has lost some.
   */
  followBatches(position: Position): void {
    if (this.#hasLostBatches) return
    this.#position = position
    this.#liveSince = performance.now()
  }

  get isLive(): boolean {
    return this.#liveSince !== Number.POSITIVE_INFINITY
  }

  /**
   * Offers a batch. The follower takes a batch that has relevant changes or is a reset. It takes any other batch only if
   * `aliveMs` have passed since it was last told that it is up to date. A subscriber takes batches without changes on its own
   * timer, because the time of a batch reveals changes of others. Returns whether the follower was woken.
   */
  offer(batch: Batch): boolean {
    if (this.#hasLostBatches) return false
    const isQuiet = !batch.isReset && this.#findRelevantChanges(batch).length === 0
    if (isQuiet && (batch.hasMore || !this.isLive)) return false
    if (isQuiet && this.own) {
      this.#quietBatch = batch
      return false
    }
    if (isQuiet && !this.#isAliveDue()) return false
    // Its position is earlier than that of this batch.
    this.#quietBatch = null
    if (this.#batches.push(batch) > maxBatches) {
      this.beginReading()
      this.#hasLostBatches = true
    }
    this.#wake?.()
    return true
  }

  /** Ends the follower, with a refusal or without. */
  end(refusal: DomainError | null): void {
    this.#isEnded = true
    this.#refusal = refusal
    this.#wake?.()
    this.#onEnd?.()
  }

  /** Throws the refusal with which the follower ended, if any. */
  assertAllowed(): void {
    if (this.#refusal) throw this.#refusal
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The next batch; null when the follower has ended, or must read for itself again. */
  async next(): Promise<FollowedBatch | null> {
    let batch: Batch | null = null
    while (!batch && this.isLive && !this.#isEnded) {
      batch = this.#batches.shift() ?? this.#takeQuietBatch()
      if (!batch) await this.#waitForBatch()
    }
    this.assertAllowed()
    return batch && this.#toNext(batch)
  }

  /** Waits until a batch is offered, or until it is time to tell the follower that it is up to date. */
  async #waitForBatch(): Promise<void> {
    const dueMs = this.#aliveAt + aliveMs - performance.now()
    // If the follower is overdue, it checks again after `overdueRetryMs`: the next batch comes within half a second.
    const timer = this.own && setTimeout(() => this.#wake?.(), Math.max(dueMs, overdueRetryMs))
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#wake = null
    if (timer) clearTimeout(timer)
  }

  #takeQuietBatch(): Batch | null {
    const batch = this.#quietBatch
    if (!batch || !this.#isAliveDue() || !isCurrent(batch)) return null
    this.#quietBatch = null
    return batch
  }

  /**
   * Called when a page is sent to the follower and there are no later changes. A page without changes tells the follower that
   * it is up to date. Returns whether such a page must be sent next.
   */
  recordPage({ changes }: Pick<FollowedBatch, 'changes'>): boolean {
    const isDue = this.#isAliveDue()
    if (changes.length === 0 || isDue) this.#aliveAt = performance.now()
    return isDue && changes.length > 0
  }

  #isAliveDue(): boolean {
    return performance.now() - this.#aliveAt >= aliveMs
  }

  #findRelevantChanges({ ofOrganization }: Batch): readonly Change[] {
    const changes = ofOrganization.get(this.organizationId) ?? []
    return this.own?.filter(changes) ?? changes
  }

  #toNext(batch: Batch): FollowedBatch {
    const { sentAt, epoch, atMs, isReset } = batch
    const before = this.#position as Position
    const changes = this.#findRelevantChanges(batch).filter((change) => isReset || !hasSeen(before, change))
    // A batch may end before the follower's own read did: it was read earlier, or it left out later changes.
    const isLater = sentAt >= this.#liveSince && batch.position.next >= before.next
    const position = isLater || isReset ? batch.position : before
    this.#position = position
    return { changes, cursor: { epoch, atMs, position }, isReset, isCurrent: isCurrent(batch) }
  }
}

function isCurrent({ sentAt, hasMore }: Batch): boolean {
  return !hasMore && performance.now() - sentAt <= staleMs
}
