import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Logger } from 'pino'
import { currentMs } from '../core/clock.ts'
import { type DomainError, unavailable } from '../core/errors.ts'
import { warnAtIntervals } from '../core/warn-at-intervals.ts'
import { type ListenHandle, listenForNotifications } from '../events/listen-for-notifications.ts'
import { createFollowersWaker, type Waker } from '../events/waker.ts'
import { changesChannel, readWakes } from '../events/wakes.ts'
import { loopSlices } from '../fairness/loop-slices.ts'
import { CurrentCursor } from './current-cursor.ts'
import { type Batch, Follower, type FollowerOptions } from './follower.ts'
import { type Change, type ChangeSelection, type LoadedChanges, loadChanges } from './load-changes.ts'
import type { Position } from './position.ts'

/** The latest change that was sent to an organization's followers, and when. */
export type LastSentChange = Pick<Change, 'id' | 'transactionId'> & { atMs: number }

type FeedOptions = {
  pool: pg.Pool
  /** Connects to the database directly, not through a PgBouncer. */
  directUrl: string
  logger: Pick<Logger, 'warn'>
  /** Called for each waiting follower with the milliseconds from a change's commit to its sending. */
  onSent?: ((ms: number) => void) | undefined
}

/** How often the feed reads without a wake, in case a wake was lost. */
const pollIntervalMs = 500
/** The minimum time between two reads, so that one read finds many changes. */
const minReadIntervalMs = 20
/** How long reads may fail before the followers end. */
const maxFailingMs = 5_000
const maxChangesPerRead = 1_000
/** How many followers of an organization receive a batch in one turn of the event loop: each writes to its connection. */
const deliveriesPerTurn = 25
/** How many followers that do not receive a batch are checked in one turn of the event loop. */
const checksPerTurn = 1_000
const quietMs = 10_000
const maxOrganizations = 10_000

/**
 * Reads changes once for all followers of this process: after this or another process has committed changes, and twice a
 * second. Contract: Changes.
 */
export class ChangeFeed {
  readonly cursor: CurrentCursor
  readonly #options: FeedOptions
  readonly #followers = new Map<string, Set<Follower>>()
  readonly #lastSent = new LRUCache<string, LastSentChange>({ max: maxOrganizations })
  readonly #warn: (fields: object, message: string) => void
  readonly #waker: Waker
  #listener: ListenHandle | null = null
  #head: { epoch: string; position: Position } | null = null
  #reading: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #readAt = 0
  #mustReadAgain = false
  #failingSince: number | null = null
  #isClosed = false

  constructor(options: FeedOptions) {
    const { pool, logger } = options
    this.#options = options
    this.cursor = new CurrentCursor(pool)
    this.#warn = warnAtIntervals(logger, quietMs)
    this.#waker = createFollowersWaker(pool, logger)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  followers(): Follower[] {
    return Array.from(this.#followers.values(), (followers) => [...followers]).flat()
  }

  /** The number of followers of each organization that has some, without followers that use subscriber tokens. */
  followerCounts(): Map<string, number> {
    const counts = Array.from(this.#followers, ([organizationId, followers]): [string, number] => [
      organizationId,
      Array.from(followers).filter(({ own }) => own === null).length,
    ])
    return new Map(counts.filter(([, count]) => count > 0))
  }

  /** Measures the time from commit to sending; called when changes are sent to a follower that waited for them. */
  measureSent(changes: readonly Change[]): void {
    const { onSent } = this.#options
    if (!onSent || changes.length === 0) return
    const now = currentMs()
    for (const { writtenAtMs } of changes) onSent(Math.max(0, now - writtenAtMs))
  }

  lastSentOf(organizationId: string): LastSentChange | undefined {
    return this.#lastSent.get(organizationId)
  }

  /** Called when these changes are sent to followers of their organization. */
  recordLastSent(organizationId: string, changes: readonly Change[]): void {
    let last = this.#lastSent.get(organizationId)
    for (const { id, transactionId } of changes) {
      if (last === undefined || id > last.id) last = { id, transactionId, atMs: currentMs() }
    }
    if (last) this.#lastSent.set(organizationId, last)
  }

  /** Wakes the followers of all processes after changes of this organization were committed. Never waits, never fails. */
  wake(organizationId: string): void {
    this.#waker.wake(organizationId)
    this.#handleNotification([organizationId])
  }

  /** Adds a follower. After this resolves, the batches contain all changes that the follower's own next read does not find. */
  async join(options: FollowerOptions): Promise<Follower> {
    const { organizationId } = options
    const follower = new Follower(options)
    if (this.#isClosed) {
      follower.end(null)
      return follower
    }
    const followers = this.#followers.get(organizationId)
    if (followers) followers.add(follower)
    else this.#followers.set(organizationId, new Set([follower]))
    this.#listener ??= this.#listen()
    // A read in progress may omit this organization, and yet move `#head` past changes that the follower's own read does not
    // find.
    await this.#reading
    if (!this.#head) await this.#read()
    if (this.#head || this.#isClosed) return follower
    this.leave(follower)
    throw unreadableChanges()
  }

  leave(follower: Follower): void {
    const followers = this.#followers.get(follower.organizationId)
    followers?.delete(follower)
    if (followers?.size === 0) this.#followers.delete(follower.organizationId)
    if (this.#followers.size > 0) return
    this.#head = null
    this.#stopTimer()
  }

  /** Reads at most `limit` changes after the position; with null, only the current position. */
  read(selection: ChangeSelection, from: Position | null, limit: number): Promise<LoadedChanges> {
    return loadChanges(this.#options.pool, selection, from, limit)
  }

  /** Ends all followers, and any that join later. Followers of other processes are still woken. */
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
    if (this.#reading) this.#mustReadAgain = true
    else this.#schedule(Math.max(0, this.#readAt + minReadIntervalMs - performance.now()))
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
      const intervalMs = this.#mustReadAgain ? minReadIntervalMs : pollIntervalMs
      this.#mustReadAgain = false
      this.#schedule(intervalMs)
    })
    return this.#reading
  }

  async #readOnce(): Promise<void> {
    const sentAt = performance.now()
    const { pool } = this.#options
    const head = this.#head
    try {
      const found = await loadChanges(pool, [...this.#followers.keys()], head?.position ?? null, maxChangesPerRead)
      const isReset = head !== null && found.epoch !== head.epoch
      // A position of another epoch is meaningless, so the current position replaces it.
      const { epoch, atMs, position, changes, hasMore } = isReset ? await loadChanges(pool, [], null, 1) : found
      this.#failingSince = null
      // If all followers have left, the next follower starts from the position that is current then.
      if (this.#followers.size === 0) return
      this.#head = { epoch, position }
      if (hasMore) this.#mustReadAgain = true
      if (head === null) return
      const ofOrganization = Map.groupBy(changes, ({ organizationId }) => organizationId)
      const batch = { sentAt, ofOrganization, epoch, atMs, position, isReset, hasMore }
      await Promise.all(
        Array.from(this.#followers, ([organizationId, followers]) =>
          offerToFollowers(batch, organizationId, [...followers]),
        ),
      )
      const counts = this.followerCounts()
      for (const [organizationId, changesOfOne] of ofOrganization) {
        if (counts.has(organizationId)) this.recordLastSent(organizationId, changesOfOne)
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    const now = performance.now()
    this.#failingSince ??= now
    this.#warn({ err: error }, 'changes could not be read, and their followers wait')
    if (now - this.#failingSince < maxFailingMs) return
    for (const follower of this.followers()) follower.end(unreadableChanges(error))
  }

  #listen(): ListenHandle {
    const { directUrl: url, logger } = this.#options
    const lostMessage = 'lost the connection that listens for changes; new changes are still found within a second'
    return listenForNotifications(changesChannel, {
      url,
      logger,
      lostMessage,
      onNotification: (payload) => this.#handleNotification(readWakes(payload)),
    })
  }
}

async function offerToFollowers(batch: Batch, organizationId: string, followers: readonly Follower[]): Promise<void> {
  let usedFraction = 0
  for (const follower of followers) {
    usedFraction += 1 / (follower.offer(batch) ? deliveriesPerTurn : checksPerTurn)
    if (usedFraction < 1) continue
    usedFraction = 0
    await loopSlices.next(organizationId)
  }
}

function unreadableChanges(cause?: unknown): DomainError {
  return unavailable('Changes cannot be read at the moment. Try again in a moment.', cause)
}
