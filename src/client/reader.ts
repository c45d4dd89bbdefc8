import { EntitlementsError, errorOf, NotFoundError } from './api/errors.ts'
import { type JsonAnswer, unexpectedAnswer } from './api/request.ts'
import { askedWaitMs, backoffMs } from './backoff.ts'
import { type Entry, toEntry } from './cache.ts'
import type { Environment } from './platform.ts'
import type { Server } from './server.ts'
import type { ServerClock } from './server-clock.ts'
import { isSnapshot } from './snapshot.ts'

export type ReaderOptions = {
  server: Server
  environment: Environment
  clock: ServerClock
  /** For one answer, with all attempts, and with the wait for its turn. */
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
  #failedAt = Number.NEGATIVE_INFINITY
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

  /** The subscribers that were asked for. */
  outdateAll(): string[] {
    const subscribers = [...this.#flights.keys()]
    for (const subscriberId of subscribers) this.outdate(subscriberId)
    return subscribers
  }

  /** The service was heard: whoever asks next waits for its answer. */
  heard(): void {
    this.#lastError = null
  }

  #begin(subscriberId: string): Promise<Entry> {
    const flight: Flight = { isOutdated: false, promise: this.#inTurn((until) => this.#ask(subscriberId, until)) }
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

  async #inTurn(ask: (until: number) => Promise<Entry>): Promise<Entry> {
    const { environment, timeoutMs } = this.#options
    const until = environment.now() + timeoutMs
    const isLate = this.#running >= maxAtOnce
    if (isLate) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#running += 1
    try {
      if (isLate) this.#assertWorthAsking(until)
      return await ask(until)
    } finally {
      this.#running -= 1
      this.#waiting.shift()?.()
    }
  }

  /** After a wait: not if the service did not answer the others, or if the time is over. */
  #assertWorthAsking(until: number): void {
    const { environment, server, failed } = this.#options
    if (this.#lastError) throw this.#lastError
    if (environment.now() < until) return
    const error = noTurn(server)
    failed(error)
    throw error
  }

  async #ask(subscriberId: string, until: number): Promise<Entry> {
    const { environment, server, known, failed } = this.#options
    const sentAt = environment.now()
    const unknown = () => toEntry(null, { etag: null, sentAt, endsAt: Number.POSITIVE_INFINITY })
    const last = known(subscriberId)
    const name = toName(subscriberId)
    if (name === null) return unknown()
    try {
      const path = `/org/subscribers/${name}/entitlements`
      const answer = await server.get(path, last?.etag ? { 'if-none-match': last.etag } : {}, until - sentAt)
      const entry = this.#read(answer, { last, sentAt })
      this.#succeed()
      return entry
    } catch (error) {
      if (!(error instanceof EntitlementsError)) throw error
      if (isUnknownSubscriber(error)) {
        this.#succeed()
        return unknown()
      }
      failed(error)
      if (concernsAll(error)) this.#rest(error, sentAt)
      throw error
    }
  }

  #succeed(): void {
    this.#failures = 0
    this.#lastError = null
  }

  /** Others' requests would wait for the same failure: for a while they fail at once. */
  #rest(error: EntitlementsError, sentAt: number): void {
    const { environment } = this.#options
    // Requests that were under way together fail together, and count once.
    if (this.#lastError && sentAt <= this.#failedAt) return
    this.#failedAt = environment.now()
    const waitMs = askedWaitMs(error) + backoffMs(environment, restMs, this.#failures)
    this.#failures += 1
    this.#lastError = error
    this.#restsUntil = environment.now() + waitMs
  }

  #read({ status, headers, body }: JsonAnswer, { last, sentAt }: { last: Entry | undefined; sentAt: number }): Entry {
    const { clock, server } = this.#options
    const snapshot = status === 304 ? last?.snapshot : body
    if (!isSnapshot(snapshot)) throw unexpectedAnswer(server, { status, headers })
    clock.note(headers, sentAt)
    const validUntil = snapshot.valid_until
    const endsAt = validUntil === null ? Number.POSITIVE_INFINITY : clock.earliest(Date.parse(validUntil))
    return toEntry(snapshot, { etag: headers.get('etag'), sentAt, endsAt })
  }
}

/** As a part of an address. Null for what no address can have: platforms leave out dots, and ask for the folder above. */
function toName(subscriberId: string): string | null {
  try {
    return /^\.{0,2}$/.test(subscriberId) ? null : encodeURIComponent(subscriberId)
  } catch {
    return null
  }
}

function noTurn({ baseUrl }: Server): EntitlementsError {
  const message = `The service at ${baseUrl} was not asked in time, because ${maxAtOnce} other requests were under way.`
  return errorOf({ code: 'TIMED_OUT', message })
}

function isUnknownSubscriber(error: EntitlementsError): boolean {
  return error instanceof NotFoundError && error.details?.resource === 'subscriber'
}

/** Whether other subscribers' requests would fail as well. A rate limit lets some of them pass. */
function concernsAll({ status }: EntitlementsError): boolean {
  return status === null || status >= 500 || [401, 403, 409].includes(status)
}
