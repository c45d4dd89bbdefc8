import { type EntitlementsError, errorOf } from './api/errors.ts'
import { Cache, type Entry, isOlder, toEntry } from './cache.ts'
import type { ChangeEvent } from './change-event.ts'
import type { Emitter } from './events.ts'
import { Feed, type FeedListener, silenceMs } from './feed.ts'
import type { CompleteOptions } from './options.ts'
import type { Environment } from './platform.ts'
import { Reader } from './reader.ts'
import { Server } from './server.ts'
import { ServerClock } from './server-clock.ts'
import type { Snapshot } from './snapshot.ts'
import { LastKnown } from './store.ts'
import { untilReady } from './until-ready.ts'

/** The maximum age of an answer with `freshness: 'webhook'`, because webhooks can be late or lost. */
const webhookMaxAgeMs = 300_000
/** The time after which an unknown subscriber is requested again. */
export const unknownMaxAgeMs = 5_000

/** The minimum time between two `rate_limited` events. */
const rateLimitedIntervalMs = 60_000

/** What a relay passes: its own cache, and a listener that gets each event of the feed after the cache. */
export type KnowledgeParts = { cache?: Cache; follower?: FeedListener }

/** The cached answers about subscribers, and whether they are still valid. */
export class Knowledge {
  readonly server: Server
  readonly clock: ServerClock
  readonly #options: CompleteOptions
  readonly #environment: Environment
  readonly #emitter: Emitter
  readonly #cache: Cache
  readonly #reader: Reader
  readonly #lastKnown: LastKnown
  readonly #feed: Feed | null
  #isReady = false
  #isUnavailable = false
  #isClosed = false
  #limitedAt = Number.NEGATIVE_INFINITY
  #lastError: EntitlementsError | null = null

  constructor(
    options: CompleteOptions,
    environment: Environment,
    emitter: Emitter,
    { cache, follower }: KnowledgeParts = {},
  ) {
    this.#options = options
    this.#environment = environment
    this.#emitter = emitter
    this.clock = new ServerClock(environment)
    this.server = new Server(options.access, environment)
    this.#cache = cache ?? new Cache(Math.max(options.maxSubscribers, options.snapshots.length))
    this.#lastKnown = new LastKnown(options, environment, this.clock)
    this.#reader = new Reader({
      server: this.server,
      environment,
      clock: this.clock,
      timeoutMs: options.timeoutMs,
      known: (subscriberId) => this.#cache.get(subscriberId),
      answered: (subscriberId, entry) => this.#cacheAnswer(subscriberId, entry),
      outdated: (subscriberId, entry) => this.#cacheOutdated(subscriberId, entry),
      keepsOld: options.onUnavailable === 'last-known',
      failed: (error) => this.#fail(error, true),
    })
    for (const snapshot of options.snapshots) this.#cacheStale(snapshot)
    this.#feed = options.freshness === 'feed' && !options.offline ? this.#follow(follower) : null
  }

  /** Whether the client receives changes of the catalog. */
  get receivesCatalogChanges(): boolean {
    return this.#feed !== null
  }

  /** Milliseconds since the feed last proved that it was complete; `Infinity` if it never did. */
  get silentMs(): number {
    return this.#feed ? this.#environment.now() - this.#feed.aliveAt : Number.POSITIVE_INFINITY
  }

  /** Caches an earlier answer as outdated, unless there is an answer. `sentAt` is by the environment's clock. */
  preload(snapshot: Snapshot, sentAt: number): void {
    if (!this.#cache.get(snapshot.subscriber_id)) this.#cacheStale(snapshot, sentAt)
  }

  /** Soon requests the subscribers among these whose cached answers are outdated, in batches that are spread over time. */
  refill(subscriberIds: readonly string[]): void {
    this.#reader.refill(subscriberIds)
  }

  /** The cached answer, outdated or not. */
  get(subscriberId: string): Entry | undefined {
    return this.#cache.get(subscriberId)
  }

  isFresh({ isStale, sentAt, endsAt, snapshot }: Entry): boolean {
    if (isStale) return false
    const now = this.#environment.now()
    if (now >= endsAt) return false
    const ageMs = now - sentAt
    if (!snapshot) return ageMs <= unknownMaxAgeMs
    const { freshness } = this.#options
    if (freshness === 'webhook') return ageMs <= webhookMaxAgeMs
    if (freshness !== 'feed') return ageMs <= freshness.seconds * 1_000
    return ageMs <= silenceMs || (this.#feed?.isAlive(now) ?? false)
  }

  /** Milliseconds since the answer was last known to be right. */
  ageOf({ sentAt, isStale }: Entry): number {
    const knownAt = this.#feed && !isStale ? Math.max(sentAt, this.#feed.aliveAt) : sentAt
    return Math.max(this.#environment.now() - knownAt, 0)
  }

  /** Asks the service. Throws if the service does not answer. */
  async ask(subscriberId: string): Promise<Entry> {
    const reason = this.#options.offline ? 'the option offline is set' : this.#isClosed ? 'the client was closed' : null
    if (reason) throw errorOf({ code: 'NO_ANSWER', message: `The service is not asked, because ${reason}.` })
    const askedAt = this.#environment.now()
    const entry = await this.#reader.read(subscriberId)
    // If the request was already running, an override in its answer may have ended before this call. Then ask again.
    return entry.endsAt <= askedAt ? this.#reader.read(subscriberId) : entry
  }

  /** The last known answer, from the cache or from the store. */
  async loadLastKnown(subscriberId: string): Promise<Entry | null> {
    const entry = this.#cache.get(subscriberId)
    if (entry) return entry
    const snapshot = await this.#lastKnown.read(subscriberId)
    // The service may have answered meanwhile.
    return this.#cache.get(subscriberId) ?? (snapshot ? this.#cacheStale(snapshot) : null)
  }

  applyChange({ type, subscriber_id: subscriberId, key, features }: ChangeEvent): void {
    if (type === 'webhook.test') return
    const isOne = type === 'entitlements.stale' || type === 'entitlements.end_moved'
    if (isOne && subscriberId !== undefined) this.markOutdated(subscriberId, features ?? null)
    else if (type === 'plan.grants.updated' && key !== undefined) {
      // Any running request may return an answer with this plan, so all of them become outdated.
      const expired = this.#cache.expirePlan(key)
      this.#notifyAll(this.#reader.markAllOutdated(), expired)
      this.#reader.refill(expired)
    } else this.#markAllOutdated()
  }

  /** Marks answers to earlier requests as outdated, including requests that are still running. Null: for all subscribers. */
  markOutdated(subscriberId: string | null, features: readonly string[] | null = null): void {
    if (subscriberId === null) {
      this.#notifyAll(this.#reader.markAllOutdated(), this.#cache.expireAll())
      return
    }
    this.#reader.markOutdated(subscriberId)
    this.#cache.expire(subscriberId)
    this.#notify([subscriberId], features)
  }

  /** Asks the service now, even while the client pauses after a failure. */
  async refresh(subscriberId: string): Promise<Entry> {
    this.#reader.markOutdated(subscriberId)
    this.#reader.resetError()
    return this.ask(subscriberId)
  }

  /** Throws if the service refuses the credentials, or the last failure if it is not ready in time. */
  async waitUntilReady(timeoutMs: number): Promise<void> {
    if (this.#isReady || this.#options.offline) return
    const begin = () => this.#feed ?? this.#ping(timeoutMs)
    await untilReady({
      environment: this.#environment,
      emitter: this.#emitter,
      timeoutMs,
      last: this.#lastError,
      begin,
    })
  }

  close(): void {
    this.#isClosed = true
    this.#reader.close()
    this.#feed?.close()
  }

  #markAllOutdated(): void {
    const expired = this.#cache.expireAll()
    this.#notifyAll(this.#reader.markAllOutdated(), expired)
    this.#reader.refill(expired)
  }

  #follow(follower: FeedListener | undefined): Feed {
    const feed = new Feed(this.server, this.#environment, {
      alive: () => {
        this.#markReady()
        follower?.alive()
      },
      changed: (event) => {
        this.applyChange(event)
        follower?.changed(event)
      },
      reset: () => {
        this.#markAllOutdated()
        follower?.reset()
      },
      silent: () => {
        this.#isReady = false
        this.#emitter.emit('stale', { reason: `The feed of changes was silent for ${silenceMs / 1_000} seconds.` })
      },
      failed: (error) => this.#fail(error, false),
    })
    feed.run()
    return feed
  }

  #cacheAnswer(subscriberId: string, entry: Entry): void {
    const last = this.#cache.get(subscriberId)
    if (entry.isStale) this.#cacheOutdated(subscriberId, entry)
    // No change has arrived since this request was sent, so its answer is newer than any stale answer.
    else if (!last || last.isStale || !isOlder(entry, last)) this.#remember(subscriberId, entry)
    const isBack = this.#isUnavailable && this.#isReady
    this.#isUnavailable = false
    if (isBack) this.#emitter.emit('ready', {})
    if (!this.#feed) this.#markReady()
  }

  /** Keeps an outdated answer that is newer than the cached one, in case the service fails later. Ignores a relay's denials. */
  #cacheOutdated(subscriberId: string, entry: Entry): void {
    const last = this.#cache.get(subscriberId)
    if (entry.sentAt === Number.NEGATIVE_INFINITY || (last && !isOlder(last, entry))) return
    this.#remember(subscriberId, { ...entry, isStale: true })
  }

  #remember(subscriberId: string, entry: Entry): void {
    const last = this.#cache.get(subscriberId)
    this.#cache.set(subscriberId, entry)
    // An answer that confirms the last one is stored too: another process may have stored a different answer in between.
    if (entry.snapshot || last?.snapshot !== null) this.#lastKnown.write(subscriberId, entry)
  }

  #cacheStale(snapshot: Snapshot, sentAt = Number.NEGATIVE_INFINITY): Entry {
    const endsAt = Number.POSITIVE_INFINITY
    const entry = toEntry(snapshot, { etag: null, sentAt, receivedAt: null, endsAt, isStale: true })
    this.#cache.set(snapshot.subscriber_id, entry)
    return entry
  }

  /** Includes subscribers with a running request, because its callers get an answer that may be outdated. */
  #notifyAll(underWay: readonly string[], expired: readonly string[]): void {
    this.#notify([...new Set([...underWay, ...expired])], null)
  }

  #notify(subscribers: readonly string[], features: readonly string[] | null): void {
    if (!this.#emitter.has('changed')) return
    for (const subscriber of subscribers) this.#emitter.emit('changed', { subscriber, features })
  }

  #markReady(): void {
    this.#reader.resetError()
    this.#lastError = null
    if (this.#isReady) return
    this.#isReady = true
    this.#isUnavailable = false
    this.#emitter.emit('ready', {})
  }

  /** `isAnswer`: whether callers waited for the answer of the failed request. */
  #fail(error: EntitlementsError, isAnswer: boolean): void {
    if (this.#isClosed) return
    this.#lastError = error
    if (error.status === 429) {
      this.#warnRateLimited(error)
      this.#emitter.emit('error', { error })
      return
    }
    this.#options.logger?.warn(error.message, { code: error.code, requestId: error.requestId })
    if (isAnswer && !this.#isUnavailable) {
      this.#isUnavailable = true
      this.#emitter.emit('unavailable', { error })
    }
    this.#emitter.emit('error', { error })
  }

  /** Warns at most once a minute. A refusal by the rate limit is not an outage: the cached answer is used. */
  #warnRateLimited(error: EntitlementsError): void {
    const now = this.#environment.now()
    if (now < this.#limitedAt + rateLimitedIntervalMs) return
    this.#limitedAt = now
    this.#options.logger?.warn(error.message, { code: error.code, requestId: error.requestId })
    this.#emitter.emit('rate_limited', { error })
  }

  /** Checks that the service answers and accepts the key. The request is not an eval. */
  async #ping(timeoutMs: number): Promise<void> {
    try {
      await this.server.get('/org/changes', {}, timeoutMs)
      this.#markReady()
    } catch (error) {
      this.#fail(error as EntitlementsError, false)
    }
  }
}
