import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Logger } from 'pino'
import { currentMs } from '../core/clock.ts'
import { type DomainError, unavailable } from '../core/errors.ts'
import { warnNowAndThen } from '../core/warn-now-and-then.ts'
import { type ListenHandle, listen } from '../events/listen.ts'
import { createFollowersWaker, type Waker } from '../events/waker.ts'
import { changesChannel, readWakes } from '../events/wakes.ts'
import { loopSlices } from '../fairness/loop-slices.ts'
import { CurrentCursor } from './current-cursor.ts'
import { type Batch, Follower, type FollowerOptions } from './follower.ts'
import type { Position } from './position.ts'
import { type Change, type ChangeSelection, type ChangesRead, readChanges } from './read-changes.ts'

/** The latest change that an organization's followers were handed, and when. */
export type LastSentChange = Pick<Change, 'id' | 'transactionId'> & { atMs: number }

type FeedOptions = {
  pool: pg.Pool
  /** Connects to the database directly, not through a PgBouncer. */
  directUrl: string
  logger: Pick<Logger, 'warn'>
  /** Called with the milliseconds from a change's commit to its sending, once for each follower that was waiting. */
  onSent?: ((ms: number) => void) | undefined
}

/** How often a read looks for changes whose wake-up was lost. */
const tickMs = 500
/** The least time between two reads, so that the changes of that time share one. */
const restMs = 20
/** How long reads may fail before the followers end. */
const failingMs = 5_000
const maxChangesPerRead = 1_000
/** How many followers of an organization get a batch in one turn of the event loop: each writes to its connection. */
const deliveriesPerTurn = 25
/** The same for followers that only check whether a batch concerns them. */
const checksPerTurn = 1_000
const quietMs = 10_000
const maxHandedOut = 10_000

/**
 * Reads changes once for all followers of this process: when this or another process has committed some, and twice a second.
 * Contract: Changes.
 */
export class ChangeFeed {
  readonly cursor: CurrentCursor
  readonly #options: FeedOptions
  readonly #followers = new Map<string, Set<Follower>>()
  readonly #handedOut = new LRUCache<string, LastSentChange>({ max: maxHandedOut })
  readonly #warn: (fields: object, message: string) => void
  readonly #waker: Waker
  #listener: ListenHandle | null = null
  #head: { epoch: string; position: Position } | null = null
  #reading: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #readAt = 0
  #isAgain = false
  #failingSince: number | null = null
  #isClosed = false

  constructor(options: FeedOptions) {
    const { pool, logger } = options
    this.#options = options
    this.cursor = new CurrentCursor(pool)
    this.#warn = warnNowAndThen(logger, quietMs)
    this.#waker = createFollowersWaker(pool, logger)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  followers(): Follower[] {
    return Array.from(this.#followers.values(), (ofOne) => [...ofOne]).flat()
  }

  /** The number of followers of each organization that has some here. Subscribers with tokens do not count. */
  followerCounts(): Map<string, number> {
    const counts = Array.from(this.#followers, ([organizationId, ofOne]): [string, number] => [
      organizationId,
      Array.from(ofOne).filter(({ own }) => own === null).length,
    ])
    return new Map(counts.filter(([, count]) => count > 0))
  }

  /** Called when a follower that waited for these changes is sent them. */
  recordSent(changes: readonly Change[]): void {
    const { onSent } = this.#options
    if (!onSent || changes.length === 0) return
    const now = currentMs()
    for (const { writtenAtMs } of changes) onSent(Math.max(0, now - writtenAtMs))
  }

  lastSentOf(organizationId: string): LastSentChange | undefined {
    return this.#handedOut.get(organizationId)
  }

  /** Called when followers are handed these changes of their organization. */
  recordLastGiven(organizationId: string, changes: readonly Change[]): void {
    let last = this.#handedOut.get(organizationId)
    for (const { id, transactionId } of changes) {
      if (last === undefined || id > last.id) last = { id, transactionId, atMs: currentMs() }
    }
    if (last) this.#handedOut.set(organizationId, last)
  }

  /** Changes of this organization were committed: wakes the followers of all processes. Never waits, never fails. */
  wake(organizationId: string): void {
    this.#waker.wake(organizationId)
    this.#handleNotification([organizationId])
  }

  /**
   * Adds a follower. Once this resolves, the batches contain every change of its organization that its own next read does not
   * see.
   */
  async join(options: FollowerOptions): Promise<Follower> {
    const { organizationId } = options
    const follower = new Follower(options)
    if (this.#isClosed) {
      follower.end(null)
      return follower
    }
    const others = this.#followers.get(organizationId)
    if (others) others.add(follower)
    else this.#followers.set(organizationId, new Set([follower]))
    this.#listener ??= this.#listen()
    // A read in progress may not include this organization, but may see changes that the follower's own read does not.
    await this.#reading
    if (!this.#head) await this.#read()
    if (this.#head || this.#isClosed) return follower
    this.leave(follower)
    throw unreadable()
  }

  leave(follower: Follower): void {
    const others = this.#followers.get(follower.organizationId)
    others?.delete(follower)
    if (others?.size === 0) this.#followers.delete(follower.organizationId)
    if (this.#followers.size > 0) return
    this.#head = null
    this.#stopTimer()
  }

  /** At most `limit` changes after the position; without one, only the current position. */
  read(whose: ChangeSelection, from: Position | null, limit: number): Promise<ChangesRead> {
    return readChanges(this.#options.pool, whose, from, limit)
  }

  /** Ends all followers, and those to come. Followers of other processes are still notified. */
  end(): void {
    this.#isClosed = true
    this.#stopTimer()
    for (const follower of this.followers()) follower.end(null)
  }

  async close(): Promise<void> {
    this.end()
    await Promise.all([this.#reading, this.#waker.stop(), this.#listener?.close()])
  }

  #handleNotification(organizationIds: readonly string[]): void {
    if (organizationIds.some((organizationId) => this.#followers.has(organizationId))) this.#readSoon()
  }

  #readSoon(): void {
    if (this.#reading) this.#isAgain = true
    else this.#schedule(Math.max(0, this.#readAt + restMs - performance.now()))
  }

  #schedule(ms: number): void {
    this.#stopTimer()
    if (this.#isClosed || this.#followers.size === 0) return
    this.#timer = setTimeout(() => void this.#read(), ms)
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = null
      this.#readAt = performance.now()
      const isAgain = this.#isAgain
      this.#isAgain = false
      this.#schedule(isAgain ? restMs : tickMs)
    })
    return this.#reading
  }

  async #readOnce(): Promise<void> {
    const sentAt = performance.now()
    const { pool } = this.#options
    const head = this.#head
    try {
      const found = await readChanges(pool, [...this.#followers.keys()], head?.position ?? null, maxChangesPerRead)
      const isReset = head !== null && found.epoch !== head.epoch
      // Ids of a position in another epoch are meaningless.
      const { epoch, atMs, position, changes, hasMore } = isReset ? await readChanges(pool, [], null, 1) : found
      this.#failingSince = null
      // All followers have left: the next one starts from the current position.
      if (this.#followers.size === 0) return
      this.#head = { epoch, position }
      if (hasMore) this.#isAgain = true
      if (head === null) return
      const ofOrganization = Map.groupBy(changes, ({ organizationId }) => organizationId)
      const batch = { sentAt, ofOrganization, epoch, atMs, position, isReset }
      await Promise.all(
        Array.from(this.#followers, ([organizationId, ofOne]) => offerToFollowers(batch, organizationId, [...ofOne])),
      )
      const counts = this.followerCounts()
      for (const [organizationId, ofOne] of ofOrganization) {
        if (counts.has(organizationId)) this.recordLastGiven(organizationId, ofOne)
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    const now = performance.now()
    this.#failingSince ??= now
    this.#warn({ err: error }, 'changes could not be read, and their followers wait')
    if (now - this.#failingSince < failingMs) return
    for (const follower of this.followers()) follower.end(unreadable(error))
  }

  #listen(): ListenHandle {
    const { directUrl: url, logger } = this.#options
    const lost = 'lost the connection that listens for changes, which are found within a second'
    return listen(changesChannel, {
      url,
      logger,
      lost,
      onNotification: (payload) => this.#handleNotification(readWakes(payload)),
    })
  }
}

async function offerToFollowers(batch: Batch, organizationId: string, followers: readonly Follower[]): Promise<void> {
  let ofTurn = 0
  for (const follower of followers) {
    ofTurn += 1 / (follower.offer(batch) ? deliveriesPerTurn : checksPerTurn)
    if (ofTurn < 1) continue
    ofTurn = 0
    await loopSlices.next(organizationId)
  }
}

function unreadable(cause?: unknown): DomainError {
  return unavailable('Changes cannot be read at the moment. Try again in a moment.', cause)
}
