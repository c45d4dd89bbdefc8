import { EntitlementsError, NotFoundError } from './api/errors.ts'
import type { JsonAnswer } from './api/request.ts'
import { backoffMs } from './backoff.ts'
import { type Entry, toEntry } from './cache.ts'
import type { Environment } from './platform.ts'
import type { Server } from './server.ts'
import type { ServerClock } from './server-clock.ts'
import type { Snapshot } from './snapshot.ts'

export type ReaderOptions = {
  server: Server
  environment: Environment
  clock: ServerClock
  /** For one answer, with all attempts. */
  timeoutMs: number
  /** What is known of a subscriber, stale or not: its `ETag` spares the body. */
  known(subscriberId: string): Entry | undefined
  /** An answer that nothing has outdated while it was under way. */
  answered(subscriberId: string, entry: Entry): void
  failed(error: EntitlementsError): void
}

/** A request under way. Its answer fills the cache, unless a change was heard of since it was sent. */
type Flight = { promise: Promise<Entry>; isOutdated: boolean }

/** So many requests at once; others wait. */
const maxAtOnce = 64
const restMs = { least: 100, most: 10_000 }

/** Asks for snapshots: one request for many callers. */
export class Reader {
  readonly #options: ReaderOptions
  readonly #flights = new Map<string, Flight>()
  readonly #waiting: (() => void)[] = []
  #running = 0
  #failures = 0
  /** Set while the service is known not to answer; it is left alone until `#restsUntil`. */
  #lastError: EntitlementsError | null = null
  #restsUntil = Number.NEGATIVE_INFINITY
  #isProbing = false

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /** Throws the last error if the service does not answer: at once while it is known not to, and one request finds out when it does. */
  read(subscriberId: string): Promise<Entry> {
    if (!this.#lastError) return this.#flights.get(subscriberId)?.promise ?? this.#begin(subscriberId)
    if (!this.#isProbing && this.#options.environment.now() >= this.#restsUntil) {
      this.#isProbing = true
      const end = () => {
        this.#isProbing = false
      }
      this.#begin(subscriberId).then(end, end)
    }
    return Promise.reject(this.#lastError)
  }

  /** What is under way was sent before a change: whoever asks from now on gets a new answer. */
  outdate(subscriberId: string): void {
    const flight = this.#flights.get(subscriberId)
    if (!flight) return
    flight.isOutdated = true
    this.#flights.delete(subscriberId)
  }

  outdateAll(): void {
    for (const flight of this.#flights.values()) flight.isOutdated = true
    this.#flights.clear()
  }

  /** The service was heard: whoever asks next waits for its answer. */
  heard(): void {
    this.#lastError = null
  }

  #begin(subscriberId: string): Promise<Entry> {
    const flight: Flight = { isOutdated: false, promise: this.#inTurn(() => this.#ask(subscriberId)) }
    this.#flights.set(subscriberId, flight)
    const land = () => {
      if (this.#flights.get(subscriberId) === flight) this.#flights.delete(subscriberId)
    }
    flight.promise.then((entry) => {
      land()
      if (!flight.isOutdated) this.#options.answered(subscriberId, entry)
    }, land)
    return flight.promise
  }

  async #inTurn(ask: () => Promise<Entry>): Promise<Entry> {
    if (this.#running >= maxAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#running += 1
    try {
      return await ask()
    } finally {
      this.#running -= 1
      this.#waiting.shift()?.()
    }
  }

  async #ask(subscriberId: string): Promise<Entry> {
    const { environment, server, known, timeoutMs, failed } = this.#options
    const sentAt = environment.now()
    const last = known(subscriberId)
    const path = `/org/subscribers/${encodeURIComponent(subscriberId)}/entitlements`
    try {
      const answer = await server.get(path, last?.etag ? { 'if-none-match': last.etag } : {}, timeoutMs)
      this.#succeed()
      return this.#read(answer, { last, sentAt })
    } catch (error) {
      if (!(error instanceof EntitlementsError)) throw error
      if (isUnknownSubscriber(error)) {
        this.#succeed()
        return toEntry(null, { etag: null, sentAt, endsAt: Number.POSITIVE_INFINITY })
      }
      failed(error)
      if (concernsAll(error)) this.#rest(error)
      throw error
    }
  }

  #succeed(): void {
    this.#failures = 0
    this.#lastError = null
  }

  /** Others' requests would wait for the same failure: for a while they fail at once. */
  #rest(error: EntitlementsError): void {
    const { environment } = this.#options
    const waitMs = (error.retryAfterSeconds ?? 0) * 1_000 + backoffMs(environment, restMs, this.#failures)
    this.#failures += 1
    this.#lastError = error
    this.#restsUntil = environment.now() + waitMs
  }

  #read({ status, headers, body }: JsonAnswer, { last, sentAt }: { last: Entry | undefined; sentAt: number }): Entry {
    const { clock } = this.#options
    clock.note(headers, sentAt)
    const snapshot = status === 304 ? (last?.snapshot ?? null) : (body as Snapshot)
    const validUntil = snapshot?.valid_until ?? null
    const endsAt = validUntil === null ? Number.POSITIVE_INFINITY : clock.earliest(Date.parse(validUntil))
    return toEntry(snapshot, { etag: headers.get('etag'), sentAt, endsAt })
  }
}

function isUnknownSubscriber(error: EntitlementsError): boolean {
  return error instanceof NotFoundError && error.details?.resource === 'subscriber'
}

/** Whether other subscribers' requests would fail as well. A rate limit lets some of them pass. */
function concernsAll({ status }: EntitlementsError): boolean {
  return status === null || status >= 500 || [401, 403, 409].includes(status)
}
