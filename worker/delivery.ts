import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { newId } from '../src/core/ids.ts'
import { batchLeaseMs } from '../src/events/batch-lease.ts'
import type { Metrics } from '../src/metrics/metrics.ts'
import { BatchLeaseTime } from './batch-lease-time.ts'
import type { Clock } from './clock.ts'
import { DeliveryQueue, type DeliveryQueueOptions } from './delivery-queue.ts'
import { DeliveryQueueStore, queueLeaseMs } from './delivery-queue-store.ts'
import { FailureLog } from './failure-log.ts'
import { findBatchesToLease } from './find-batches-to-lease.ts'
import { InFlight } from './in-flight.ts'
import { countAttempt } from './measure.ts'
import { RecordQueue } from './record-queue.ts'

/** How often leases are renewed; a renewal also finds wakes from other workers. */
const renewMs = 500
/** Subtracted from a queue's lease, so that a batch can be read and sent before the lease ends. */
const queueLeaseMarginMs = batchLeaseMs.atMost
const retryMs = 250
/** The minimum time between rounds, so that events share statements. The first event after a pause does not wait. */
const roundMs = 25
/** For waits shorter than this, the process also sets a timer, because the job queue polls only every half second. */
const maxTimerMs = 60_000
/** How long `stop` waits for an unavailable database to record the last attempts. */
const stopMarginMs = 3000
const releaseTimeoutMs = 2000

type DeliveryOptions = {
  pool: pg.Pool
  boss: PgBoss
  attempt: DeliveryQueueOptions['attempt']
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  metrics: Metrics
  waitsSeconds: readonly number[]
  timeoutMs: number
  /** The maximum number of attempts in flight for one organization. */
  maxInFlight: number
}

/**
 * One loop for all delivery queues of this process: it records finished attempts, leases the queues that it was woken for,
 * renews leases, leases batches of due events where there is capacity, and releases idle queues. Only this loop queries the
 * database, one statement at a time, so that an answer is never older than what the loop knows. An error does not end the loop.
 */
export class Delivery {
  readonly #options: DeliveryOptions
  readonly #store: DeliveryQueueStore
  readonly #records: RecordQueue
  readonly #log: FailureLog
  readonly #queues = new Map<string, DeliveryQueue>()
  readonly #inFlight: InFlight
  /** Organizations whose queues are to be leased. The value says whether to wake another worker that has the lease. */
  readonly #queuesToLease = new Map<string, boolean>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #renewedAt = performance.now()
  readonly #batchLeaseTime = new BatchLeaseTime()
  #roundAt = 0
  #isStopping = false
  /** When the last running attempt ended after `stop` was called. */
  #lastAttemptEndedAt: number | null = null
  #signal = Promise.withResolvers<void>()
  readonly #ended: Promise<void>

  constructor(options: DeliveryOptions) {
    const { pool, clock, logger } = options
    this.#options = options
    this.#inFlight = new InFlight(options.maxInFlight)
    this.#store = new DeliveryQueueStore({ pool, owner: newId(), clock })
    this.#records = new RecordQueue(options)
    this.#log = new FailureLog(logger, 'sending events')
    this.#ended = this.#loop()
  }

  /**
   * Called when events of these organizations may be due and no other worker knows of them: wakes the workers that lease their
   * queues. Never waits, never fails.
   */
  wake(organizationIds: readonly string[]): void {
    this.#wake(organizationIds, true)
  }

  /** Like `wake`, but for a notification that all workers received: wakes only this worker. */
  handleNotification(organizationIds: readonly string[]): void {
    this.#wake(organizationIds, false)
  }

  /** Called when events may be due in the queues that this worker leases. */
  wakeLeasedQueues(): void {
    for (const queue of this.#queues.values()) queue.wake()
    this.#resume()
  }

  #wake(organizationIds: readonly string[], wakesOwner: boolean): void {
    if (this.#isStopping) return
    for (const organizationId of organizationIds) {
      const queue = this.#queues.get(organizationId)
      if (queue?.isLeased) queue.wake()
      else this.#queuesToLease.set(organizationId, wakesOwner || this.#queuesToLease.get(organizationId) === true)
    }
    this.#resume()
  }

  /** Finds organizations with due events that no worker is sending. */
  findWaitingOrganizations(limit: number): Promise<string[]> {
    return this.#store.findWaitingOrganizations(limit)
  }

  /** Starts no more attempts, waits until running attempts have ended and are recorded, and releases the queues. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    for (const queue of this.#queues.values()) queue.dropBatch()
    this.#queuesToLease.clear()
    this.#resume()
    const { timeoutMs, logger } = this.#options
    // Another worker repeats the attempts that are not recorded by then.
    await Promise.race([this.#ended, wait(timeoutMs + stopMarginMs, undefined, { ref: false })])
    await this.#store
      .releaseAll(releaseTimeoutMs)
      .catch((error) => logger.warn({ err: error }, 'delivery queues could not be released'))
  }

  readonly #resume = (): void => this.#signal.resolve()

  async #loop(): Promise<void> {
    while (!this.#isDone()) {
      await this.#waitForNextRound()
      this.#signal = Promise.withResolvers<void>()
      try {
        const { error } = await this.#record()
        await this.#leaseQueues()
        await this.#renew()
        await this.#leaseBatches()
        await this.#release()
        if (error === null) this.#log.succeeded()
      } catch (error) {
        this.#log.failed(error)
        await wait(retryMs)
        continue
      }
      if (!this.#hasWork()) await this.#waitForKick(Math.min(renewMs, this.#records.dueInMs()))
    }
  }

  async #waitForNextRound(): Promise<void> {
    const waitMs = this.#roundAt + roundMs - performance.now()
    if (waitMs > 0) await wait(waitMs)
    this.#roundAt = performance.now()
  }

  /** After `stop`: whether every attempt has ended and is recorded, or the time for recording is over. */
  #isDone(): boolean {
    if (!this.#isStopping || [...this.#queues.values()].some((queue) => queue.isSending)) return false
    this.#lastAttemptEndedAt ??= performance.now()
    return this.#records.isEmpty || performance.now() > this.#lastAttemptEndedAt + stopMarginMs
  }

  async #record() {
    const round = await this.#records.record()
    for (const { organizationId, eventId } of round.finished) this.#queues.get(organizationId)?.markRecorded(eventId)
    for (const organizationId of round.paused) this.#queues.get(organizationId)?.dropBatch()
    for (const { organizationId, waitMs } of round.next) this.#wakeAfter(organizationId, waitMs)
    return round
  }

  #wakeAfter(organizationId: string, waitMs: number): void {
    if (waitMs > maxTimerMs || this.#isStopping) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.wake([organizationId])
    }, waitMs + 1)
    this.#timers.add(timer)
  }

  async #leaseQueues(): Promise<void> {
    if (this.#queuesToLease.size === 0) return
    const requests = [...this.#queuesToLease].map(([organizationId, wakesOwner]) => ({ organizationId, wakesOwner }))
    // Clear the map before the statement runs: a wake that arrives meanwhile is for the next round.
    this.#queuesToLease.clear()
    const sentAt = performance.now()
    this.#batchLeaseTime.shortenIfQuick(sentAt)
    const { ms } = this.#batchLeaseTime
    const leasedIds = await this.#store.leaseQueues(requests, ms).catch((error) => {
      for (const { organizationId, wakesOwner } of requests) this.#wake([organizationId], wakesOwner)
      throw error
    })
    for (const organizationId of leasedIds) {
      const queue = this.#queues.get(organizationId) ?? this.#createQueue(organizationId)
      this.#queues.set(organizationId, queue)
      queue.leasedUntil = sentAt + queueLeaseMs - queueLeaseMarginMs
      queue.batchLeaseMs = ms
      queue.wake()
    }
  }

  #createQueue(organizationId: string): DeliveryQueue {
    return new DeliveryQueue({
      organizationId,
      timeoutMs: this.#options.timeoutMs,
      limit: this.#inFlight.limitOf(organizationId),
      hasFreeSlot: (ownCount) => this.#inFlight.hasFreeSlot(ownCount, this.#queues.size),
      attempt: (event, limits) => this.#inFlight.run(() => this.#options.attempt(event, limits)),
      onFinished: (attempt, isLast) => {
        countAttempt(this.#options.metrics, attempt)
        this.#records.add(attempt, { mayWait: !isLast && !this.#isStopping })
        this.#resume()
      },
      onChange: this.#resume,
    })
  }

  async #renew(): Promise<void> {
    if (performance.now() < this.#renewedAt + renewMs) return
    const queues = this.leasedQueues()
    if (queues.length > 0) {
      const sentAt = performance.now()
      const { ms } = this.#batchLeaseTime
      const organizationIds = queues.map(({ organizationId }) => organizationId)
      const renewed = await this.#store.renew(organizationIds, ms)
      for (const queue of queues) {
        const woken = renewed.get(queue.organizationId)
        queue.leasedUntil = woken === undefined ? 0 : sentAt + queueLeaseMs - queueLeaseMarginMs
        queue.batchLeaseMs = ms
        if (woken !== undefined && woken !== queue.woken) queue.wake()
      }
    }
    this.#renewedAt = performance.now()
  }

  async #leaseBatches(): Promise<void> {
    if (this.#isStopping) return
    const requests = findBatchesToLease(this.leasedQueues())
    // Move queues with a deep scan to the end, so that other queues get a deep scan in the next round.
    for (const { queue } of requests.filter(({ request }) => request.skipped.length > 0)) {
      this.#queues.delete(queue.organizationId)
      this.#queues.set(queue.organizationId, queue)
    }
    if (requests.length === 0) return
    const sentAt = performance.now()
    for (const { queue } of requests) queue.beginBatch()
    const batches = await this.#store.leaseBatches(requests.map(({ request }) => request)).catch((error) => {
      for (const { queue } of requests) queue.wake()
      throw error
    })
    const answeredAt = performance.now()
    // The next round writes the longer time into the rows of the queues before it leases batches.
    if (this.#batchLeaseTime.adaptTo(answeredAt - sentAt, answeredAt)) this.#renewedAt = Number.NEGATIVE_INFINITY
    if (this.#isStopping) return
    for (const { queue, request } of requests) {
      const batch = batches.get(queue.organizationId)
      if (batch) queue.setBatch(batch, request, sentAt + queue.batchLeaseMs)
      else queue.leasedUntil = 0
    }
  }

  /** Releases idle queues, and forgets queues whose lease has ended. */
  async #release(): Promise<void> {
    const idle = this.leasedQueues().filter((queue) => queue.isIdle)
    if (idle.length > 0) {
      const released = new Set(await this.#store.release(idle))
      for (const queue of idle) this.#afterRelease(queue, released.has(queue.organizationId))
    }
    for (const queue of this.#queues.values()) {
      if (queue.isLeased) continue
      queue.dropBatch()
      if (!queue.isBusy) this.#queues.delete(queue.organizationId)
    }
  }

  #afterRelease(queue: DeliveryQueue, isReleased: boolean): void {
    // The queue was not released, because another worker has woken it since its last batch.
    if (!isReleased) return void queue.wake()
    queue.leasedUntil = 0
    // If the queue is not idle, a wake for it arrived while it was being released.
    if (!queue.isIdle) this.#queuesToLease.set(queue.organizationId, true)
  }

  leasedQueues(): DeliveryQueue[] {
    return [...this.#queues.values()].filter(({ isLeased }) => isLeased)
  }

  /** Whether the next round may have work to do at once. */
  #hasWork(): boolean {
    if (this.#queuesToLease.size > 0 || this.#records.dueInMs() === 0) return true
    if (this.#isStopping) return false
    return this.leasedQueues().some((queue) => queue.findBatchToLease() !== null || queue.isIdle)
  }

  /** Resolves when `#resume` is called, or after this time. */
  async #waitForKick(atMostMs: number): Promise<void> {
    const timer = setTimeout(this.#resume, atMostMs)
    await this.#signal.promise
    clearTimeout(timer)
  }
}
