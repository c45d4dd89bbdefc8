import { EntitlementsError, errorOf, NotFoundError } from './api/errors.ts'
import { backoffMs, requestedWaitMs } from './backoff.ts'
import type { Entry } from './cache.ts'
import { type Environment, maxTimerMs } from './platform.ts'
import { readSnapshot, readSnapshots, toUnknownEntry } from './read-answer.ts'
import { RequestBatcher } from './request-batcher.ts'
import type { Server } from './server.ts'
import { type ServerClock, timeOfRequestId } from './server-clock.ts'
import { isValidSubscriberId, toPathSegment } from './subscriber-id.ts'

export type ReaderOptions = {
  server: Server
  environment: Environment
  clock: ServerClock
  /** The time limit for one answer, with all attempts and the wait for a free request. */
  timeoutMs: number
  /** The cached answer about a subscriber, stale or not. Because of its `ETag`, the service need not repeat an equal body. */
  known(subscriberId: string): Entry | undefined
  /** Called with an answer if no change arrived while the request was running. */
  answered(subscriberId: string, entry: Entry): void
  /** Called with an answer if a change arrived while the request was running. */
  outdated(subscriberId: string, entry: Entry): void
  /** Whether callers get the last known answer if there is no new answer. */
  keepsOld: boolean
  failed(error: EntitlementsError): void
}

/** A running request for a subscriber. The answer is cached as fresh, unless a change arrived after the request was sent. */
type RunningRequest = {
  readonly subscriberId: string
  readonly until: number
  readonly promise: Promise<Entry>
  readonly resolve: (entry: Entry) => void
  readonly reject: (error: unknown) => void
  isOutdated: boolean
  /** Whether a timer rejects the promise at `until`, because it waits for the rate limit. The HTTP request may end later. */
  hasTimer: boolean
}

/** The maximum number of concurrent requests; others wait. */
const maxConcurrentRequests = 64
const pauseMs = { least: 100, most: 10_000 }
/** The pause after the rate limit refused a request without saying how long to wait. */
const limitedMs = 1_000

/** Requests snapshots. Concurrent callers for a subscriber share a request, and one request asks for many subscribers. */
export class Reader {
  readonly #options: ReaderOptions
  readonly #batcher: RequestBatcher<RunningRequest>
  readonly #runningRequests = new Map<string, RunningRequest>()
  readonly #waiting: (() => void)[] = []
  #runningCount = 0
  #failures = 0
  /** Set while the service is known to be unavailable. No request is sent before `#pausedUntil`. */
  #lastError: EntitlementsError | null = null
  #failedAt = Number.NEGATIVE_INFINITY
  #pausedUntil = Number.NEGATIVE_INFINITY
  #isProbing = false
  /** The last refusal by the rate limit. No batch is sent before `#batcher.notBefore`. */
  #limit: EntitlementsError | null = null
  /** Whether one request may ask for many subscribers; services before 0.2 answer one at a time. */
  #supportsBatches: boolean

  constructor(options: ReaderOptions) {
    this.#options = options
    this.#supportsBatches = options.server.hasKey
    this.#batcher = new RequestBatcher<RunningRequest>(options.environment, {
      send: (requests) => this.#send(requests),
      refill: (subscriberIds) => this.#refill(subscriberIds),
    })
  }

  /** Throws if the service does not answer. During an outage it throws at once, while one request probes the service. */
  read(subscriberId: string): Promise<Entry> {
    if (!this.#lastError) return this.#runningRequests.get(subscriberId)?.promise ?? this.#begin(subscriberId)
    if (!this.#isProbing && this.#options.environment.now() >= this.#pausedUntil) {
      this.#isProbing = true
      const end = () => {
        this.#isProbing = false
      }
      this.#begin(subscriberId).then(end, end)
    }
    return Promise.reject(this.#lastError)
  }

  /** Soon requests the subscribers among these whose cached answers are stale, in batches that are spread over time. */
  refill(subscriberIds: readonly string[]): void {
    this.#batcher.refill(subscriberIds)
  }

  /** Marks the running request as outdated, because a change arrived after it was sent: later callers start a new request. */
  markOutdated(subscriberId: string): void {
    const request = this.#runningRequests.get(subscriberId)
    if (!request) return
    request.isOutdated = true
    this.#runningRequests.delete(subscriberId)
  }

  /** Marks all running requests as outdated, and returns their subscribers. */
  markAllOutdated(): string[] {
    const subscribers = [...this.#runningRequests.keys()]
    for (const subscriberId of subscribers) this.markOutdated(subscriberId)
    return subscribers
  }

  /** Ends the pause after a failure: the next caller asks the service again. */
  resetError(): void {
    this.#lastError = null
  }

  close(): void {
    this.#batcher.close()
  }

  #begin(subscriberId: string): Promise<Entry> {
    const { environment, timeoutMs, answered, outdated } = this.#options
    const request = createRunningRequest(subscriberId, environment.now() + timeoutMs)
    this.#runningRequests.set(subscriberId, request)
    const removeRequest = () => {
      if (this.#runningRequests.get(subscriberId) === request) this.#runningRequests.delete(subscriberId)
    }
    request.promise.then((entry) => {
      removeRequest()
      if (request.isOutdated) outdated(subscriberId, entry)
      else answered(subscriberId, entry)
    }, removeRequest)
    if (this.#options.server.hasKey) this.#addToBatch([request])
    else this.#send([request])
    return request.promise
  }

  /** Batches requests. While the rate limit refuses, a request that would wait too long, or has a usable old answer, fails. */
  #addToBatch(requests: readonly RunningRequest[]): void {
    const { environment, known, keepsOld } = this.#options
    const [now, { notBefore }] = [environment.now(), this.#batcher]
    const isLimited = this.#limit !== null && notBefore > now
    for (const request of requests) {
      const { subscriberId, until, reject } = request
      const old = known(subscriberId)
      const isPointless = isLimited && (until <= notBefore || (keepsOld && old?.snapshot && old.endsAt > now))
      if (isLimited && !isPointless) this.#rejectAtTimeLimit(request)
      if (isPointless) reject(this.#limit)
      else this.#batcher.add(request)
      if (isPointless && old) this.#batcher.refill([subscriberId])
    }
  }

  /** Rejects the promise in time, but lets the HTTP request go on: with less time, a healthy service may look unavailable. */
  #rejectAtTimeLimit(request: RunningRequest): void {
    if (request.hasTimer) return
    request.hasTimer = true
    const { environment } = this.#options
    const leftMs = Math.min(request.until - environment.now(), maxTimerMs)
    const cancel = environment.later(leftMs, () => request.reject(this.#limit))
    request.promise.then(cancel, cancel)
  }

  /** Returns false if no request may be sent now. */
  #refill(subscriberIds: readonly string[]): boolean {
    const { environment, known } = this.#options
    if (this.#lastError || this.#batcher.notBefore > environment.now()) return false
    for (const subscriberId of subscriberIds) {
      if (known(subscriberId)?.isStale) this.read(subscriberId).catch(() => {})
    }
    return true
  }

  #send(requests: readonly RunningRequest[]): void {
    const many = this.#supportsBatches ? requests.filter(({ subscriberId }) => isValidSubscriberId(subscriberId)) : []
    if (many.length > 1) void this.#sendWhenFree(many, (until) => this.#askMany(many, until))
    for (const request of requests) {
      if (many.length < 2 || !many.includes(request))
        void this.#sendWhenFree([request], (until) => this.#ask(request, until))
    }
  }

  async #sendWhenFree(requests: readonly RunningRequest[], ask: (until: number) => Promise<void>): Promise<void> {
    const { environment, timeoutMs } = this.#options
    const whole = environment.now() + timeoutMs
    const until = Math.min(...requests.map((request) => (request.hasTimer ? whole : request.until)))
    const isLate = this.#runningCount >= maxConcurrentRequests
    if (isLate) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#runningCount += 1
    const sentAt = environment.now()
    try {
      if (isLate) this.#assertMaySend(until)
      await ask(until)
    } catch (error) {
      this.#fail(requests, error, sentAt)
    } finally {
      this.#runningCount -= 1
      this.#waiting.shift()?.()
    }
  }

  /** For a request that has waited: throws if the service failed meanwhile, or if the time is over. */
  #assertMaySend(until: number): void {
    const { environment, server } = this.#options
    if (this.#lastError) throw this.#lastError
    if (environment.now() >= until) throw noFreeRequest(server)
  }

  #fail(requests: readonly RunningRequest[], error: unknown, sentAt: number): void {
    const { failed } = this.#options
    if (error instanceof EntitlementsError && error !== this.#lastError) {
      failed(error)
      if (error.status === 429) {
        this.#limit = error
        const waiting = this.#batcher.waitFor(requestedWaitMs(error) || limitedMs)
        this.#addToBatch([...requests, ...waiting])
        return
      }
      if (affectsAllSubscribers(error)) this.#pauseAfter(error, sentAt)
    }
    for (const { reject } of requests) reject(error)
  }

  async #ask({ subscriberId, resolve }: RunningRequest, until: number): Promise<void> {
    const { environment, clock, server, known } = this.#options
    const sentAt = environment.now()
    const last = known(subscriberId)
    const name = toPathSegment(subscriberId)
    if (name === null) return resolve(toUnknownEntry({ sentAt, receivedAt: null, isStale: false }))
    try {
      const path = `/org/subscribers/${name}/entitlements`
      const headers: Record<string, string> = last?.etag ? { 'if-none-match': last.etag } : {}
      const answer = await server.get(path, headers, until - sentAt, !server.hasKey)
      const entry = readSnapshot(answer, { clock, server, last, sentAt })
      this.#succeed()
      resolve(entry)
    } catch (error) {
      if (!isUnknownSubscriber(error)) throw error
      this.#succeed()
      resolve(toUnknownEntry({ sentAt, receivedAt: timeOfRequestId(error.requestId ?? ''), isStale: false }))
    }
  }

  async #askMany(requests: readonly RunningRequest[], until: number): Promise<void> {
    const { environment, clock, server } = this.#options
    const sentAt = environment.now()
    // After a change between two calls, a subscriber has two requests. The service refuses a list that repeats an id.
    const subscribers = new Set(requests.map(({ subscriberId }) => subscriberId))
    try {
      const answer = await server.postRead('/org/entitlements', { subscriber_ids: [...subscribers] }, until - sentAt)
      const entries = readSnapshots(answer, { clock, server, sentAt })
      this.#succeed()
      for (const request of requests) {
        const entry = entries.get(request.subscriberId)
        if (entry) request.resolve(entry)
        else this.#batcher.add(request)
      }
    } catch (error) {
      const { status } = error as Partial<EntitlementsError>
      if (status !== 404 && status !== 422) throw error
      // Ask one by one: this may be an older service, or one of the ids is invalid.
      this.#supportsBatches &&= status !== 404
      for (const request of requests) void this.#sendWhenFree([request], (until) => this.#ask(request, until))
    }
  }

  #succeed(): void {
    this.#failures = 0
    this.#lastError = null
  }

  /** Pauses after a failure: for a while, all calls fail immediately, since their requests would probably fail as well. */
  #pauseAfter(error: EntitlementsError, sentAt: number): void {
    const { environment } = this.#options
    // Concurrent requests fail together, so their failures count as one.
    if (this.#lastError && sentAt <= this.#failedAt) return
    this.#failedAt = environment.now()
    const waitMs = requestedWaitMs(error) + backoffMs(environment, pauseMs, this.#failures++)
    this.#lastError = error
    this.#pausedUntil = environment.now() + waitMs
  }
}

function createRunningRequest(subscriberId: string, until: number): RunningRequest {
  let resolve: RunningRequest['resolve'] = () => {}
  let reject: RunningRequest['reject'] = () => {}
  const promise = new Promise<Entry>((keep, refuse) => {
    resolve = keep
    reject = refuse
  })
  return { subscriberId, until, promise, resolve, reject, isOutdated: false, hasTimer: false }
}

function noFreeRequest({ baseUrl }: Server): EntitlementsError {
  const message = `The request to ${baseUrl} could not be sent in time, because ${maxConcurrentRequests} other requests were still running.`
  return errorOf({ code: 'TIMED_OUT', message })
}

function isUnknownSubscriber(error: unknown): error is NotFoundError {
  return error instanceof NotFoundError && error.details?.resource === 'subscriber'
}

/** Whether other subscribers' requests would fail as well. A rate limit lets some of them pass. */
function affectsAllSubscribers({ status }: EntitlementsError): boolean {
  return status === null || status >= 500 || [401, 403, 409].includes(status)
}
