import type { TokenSubject } from '../access/subscriber-token.ts'
import type { DomainError } from '../core/errors.ts'
import type { OwnChanges } from './own-changes.ts'
import { type Cursor, hasSeen, type Position } from './position.ts'
import type { Change } from './read-changes.ts'

/** The changes that one read found for all followed organizations, and the position after them. */
export type Batch = Cursor & {
  sentAt: number
  ofOrganization: ReadonlyMap<string, readonly Change[]>
  /** The epoch is new: everything that followers have cached is void. */
  isReset: boolean
}

type Next = { changes: readonly Change[]; cursor: Cursor; isReset: boolean }

/** A follower that lags by more batches than this reads for itself again, so that they need not be kept for it. */
const maxBatches = 32
/** How often a follower is notified that it is up to date. */
const aliveMs = 3_500
/** An older batch does not prove that nothing has changed by now. */
const staleMs = 1_000
const batchDelayMs = 100

/** The follower, and the credential that must stay valid: the hash of a key, or a subscriber's token. */
export type FollowerOptions = {
  organizationId: string
  credential: string | TokenSubject
  /** The subscriber's own changes; null for a follower of every change. */
  own: OwnChanges | null
}

/** The slot of one waiting poll or stream among the followers of a process. */
export class Follower {
  readonly organizationId: string
  readonly credential: string | TokenSubject
  readonly own: OwnChanges | null
  #batches: Batch[] = []
  /** The latest batch without changes, for a subscriber. */
  #quiet: Batch | null = null
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

  /** Called before the follower reads for itself: its read will include all changes of the batches so far. */
  beginReading(): void {
    this.#batches = []
    this.#quiet = null
    this.#hasLost = false
    this.#liveSince = Number.POSITIVE_INFINITY
  }

  /** Called when the follower's own read has no more changes: from here on it waits for batches, unless it has lost some. */
  followBatches(position: Position): void {
    if (this.#hasLost) return
    this.#position = position
    this.#liveSince = performance.now()
    this.#yieldedAt = this.#liveSince
  }

  get isLive(): boolean {
    return this.#liveSince !== Number.POSITIVE_INFINITY
  }

  /**
   * Offers a batch: the follower takes it if it contains changes for it, or if the follower was not notified for `aliveMs`. A
   * subscriber takes a batch without changes at a time of its own: batches come early when somebody else has changed. Returns
   * whether the follower is woken.
   */
  offer(batch: Batch): boolean {
    if (this.#hasLost) return false
    const isQuiet = !batch.isReset && this.#relevantChanges(batch).length === 0
    if (isQuiet && !this.isLive) return false
    if (isQuiet && this.own) {
      this.#quiet = batch
      return false
    }
    if (isQuiet && performance.now() - this.#yieldedAt < aliveMs) return false
    if (this.#batches.push(batch) > maxBatches) {
      this.beginReading()
      this.#hasLost = true
    }
    this.#wake?.()
    return true
  }

  /** Ends it, with a refusal or without. */
  end(refusal: DomainError | null): void {
    this.#isEnded = true
    this.#refusal = refusal
    this.#wake?.()
  }

  /** The refusal with which the follower ended; null if it is still running, or ended without a refusal. */
  assertAllowed(): void {
    if (this.#refusal) throw this.#refusal
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The next batch; null when the follower has ended, or must read for itself again. */
  async next(): Promise<Next | null> {
    let batch: Batch | null = null
    while (!batch && this.isLive && !this.#isEnded) {
      batch = this.#batches.shift() ?? this.#takeQuiet()
      if (!batch) await this.#wakeUp()
    }
    this.assertAllowed()
    return batch && this.#take(batch)
  }

  /** Waits until a batch was offered, or it is time to report that there was none. */
  async #wakeUp(): Promise<void> {
    const dueMs = this.#yieldedAt + aliveMs - performance.now()
    // A late change waits for the next batch, which comes within half a second.
    const timer = this.own && setTimeout(() => this.#wake?.(), Math.max(dueMs, batchDelayMs))
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#wake = null
    if (timer) clearTimeout(timer)
  }

  #takeQuiet(): Batch | null {
    const batch = this.#quiet
    const now = performance.now()
    if (!batch || now - this.#yieldedAt < aliveMs || now - batch.sentAt > staleMs) return null
    this.#quiet = null
    return batch
  }

  /** Called with all changes that the follower is given. */
  recordYield(): void {
    this.#yieldedAt = performance.now()
  }

  #relevantChanges({ ofOrganization }: Batch): readonly Change[] {
    const changes = ofOrganization.get(this.organizationId) ?? []
    return this.own?.among(changes) ?? changes
  }

  #take(batch: Batch): Next {
    const { sentAt, epoch, atMs, position, isReset } = batch
    const seen = this.#position as Position
    const changes = this.#relevantChanges(batch).filter((change) => isReset || !hasSeen(seen, change))
    // A batch from before its own read may know less than that.
    const now = sentAt >= this.#liveSince || isReset ? position : seen
    this.#position = now
    return { changes, cursor: { epoch, atMs, position: now }, isReset }
  }
}
