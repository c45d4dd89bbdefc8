import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { newId } from '../src/core/ids.ts'
import { claimMs } from '../src/events/claim.ts'
import type { Metrics } from '../src/metrics/metrics.ts'
import { ClaimTime } from './claim-time.ts'
import type { Clock } from './clock.ts'
import { FailureLog } from './failure-log.ts'
import { findClaims } from './find-claims.ts'
import { InFlight } from './in-flight.ts'
import { Lane, type LaneOptions } from './lane.ts'
import { LaneStore, leaseMs } from './lane-store.ts'
import { countAttempt } from './measure.ts'
import { RecordQueue } from './record-queue.ts'

/** How often leases are renewed; a renewal also finds wakes from other workers. */
const renewMs = 500
/** Subtracted from a lease, so that a claim can return and be used before the lease ends. */
const leaseMarginMs = claimMs.atMost
const retryMs = 250
/** A busy loop starts a round this often, so that events share statements. The first event after a pause does not wait. */
const roundMs = 25
/** This process also sets a timer for waits shorter than this: the job queue polls only every half second. */
const maxTimerMs = 60_000
/** How long a stop waits for an unavailable database to record the last attempts. */
const stopMarginMs = 3000
const releaseTimeoutMs = 2000

type DeliveryOptions = {
  pool: pg.Pool
  boss: PgBoss
  attempt: LaneOptions['attempt']
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  metrics: Metrics
  waitsSeconds: readonly number[]
  timeoutMs: number
  /** The attempts of one organization that may be in flight. */
  maxInFlight: number
}

/**
 * One loop for all lanes of this process: it records finished attempts, takes the lanes it was woken for, renews leases,
 * claims due events where there is capacity, and releases idle lanes. Only this loop queries the database, one statement at
 * a time, so that an answer is never older than what the loop knows; no error ends it.
 */
export class Delivery {
  readonly #options: DeliveryOptions
  readonly #store: LaneStore
  readonly #records: RecordQueue
  readonly #log: FailureLog
  readonly #lanes = new Map<string, Lane>()
  readonly #inFlight: InFlight
  /** Organizations whose lanes to take; true: if another worker holds the lane, wake that worker. */
  readonly #toTake = new Map<string, boolean>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #renewedAt = performance.now()
  readonly #claimTime = new ClaimTime()
  #roundAt = 0
  #isStopping = false
  /** When the last running attempt ended after a stop. */
  #sentAllAt: number | null = null
  #signal = Promise.withResolvers<void>()
  readonly #ended: Promise<void>

  constructor(options: DeliveryOptions) {
    const { pool, clock, logger } = options
    this.#options = options
    this.#inFlight = new InFlight(options.maxInFlight)
    this.#store = new LaneStore({ pool, owner: newId(), clock })
    this.#records = new RecordQueue(options)
    this.#log = new FailureLog(logger, 'sending events')
    this.#ended = this.#loop()
  }

  /**
   * Something may be due for these organizations, and no other worker knows it yet: wakes the workers that hold their lanes.
   * Never waits, never fails.
   */
  wake(organizationIds: readonly string[]): void {
    this.#wake(organizationIds, true)
  }

  /** The same for a notification that all workers received. */
  hear(organizationIds: readonly string[]): void {
    this.#wake(organizationIds, false)
  }

  /** Something may be due for the organizations whose lanes this worker holds. */
  wakeHeldLanes(): void {
    for (const lane of this.#lanes.values()) lane.wake()
    this.#kick()
  }

  #wake(organizationIds: readonly string[], wakesHolder: boolean): void {
    if (this.#isStopping) return
    for (const organizationId of organizationIds) {
      const lane = this.#lanes.get(organizationId)
      if (lane?.isHeld) lane.wake()
      else this.#toTake.set(organizationId, wakesHolder || this.#toTake.get(organizationId) === true)
    }
    this.#kick()
  }

  /** Organizations whose events are due while no worker sends them. */
  findWaitingOrganizations(limit: number): Promise<string[]> {
    return this.#store.findWaitingOrganizations(limit)
  }

  /** Sends nothing more, lets running attempts end and be recorded, and releases the lanes. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    for (const lane of this.#lanes.values()) lane.dropClaimed()
    this.#toTake.clear()
    this.#kick()
    const { timeoutMs, logger } = this.#options
    // Another worker repeats the attempts that could not be recorded by then.
    await Promise.race([this.#ended, wait(timeoutMs + stopMarginMs, undefined, { ref: false })])
    await this.#store
      .releaseAll(releaseTimeoutMs)
      .catch((error) => logger.warn({ err: error }, 'lanes could not be released'))
  }

  readonly #kick = (): void => this.#signal.resolve()

  async #loop(): Promise<void> {
    while (!this.#isDone()) {
      await this.#untilNextRound()
      this.#signal = Promise.withResolvers<void>()
      try {
        const { failed } = await this.#record()
        await this.#take()
        await this.#renew()
        await this.#claim()
        await this.#release()
        if (failed === null) this.#log.succeeded()
      } catch (error) {
        this.#log.failed(error)
        await wait(retryMs)
        continue
      }
      if (!this.#hasWork()) await this.#signalled(Math.min(renewMs, this.#records.dueInMs()))
    }
  }

  async #untilNextRound(): Promise<void> {
    const waitMs = this.#roundAt + roundMs - performance.now()
    if (waitMs > 0) await wait(waitMs)
    this.#roundAt = performance.now()
  }

  /** After a stop: whether every attempt has ended, and was either recorded or retried for long enough. */
  #isDone(): boolean {
    if (!this.#isStopping || [...this.#lanes.values()].some((lane) => lane.isSending)) return false
    this.#sentAllAt ??= performance.now()
    return this.#records.isEmpty || performance.now() > this.#sentAllAt + stopMarginMs
  }

  async #record() {
    const round = await this.#records.record()
    for (const { organizationId, eventId } of round.settled) this.#lanes.get(organizationId)?.setRecorded(eventId)
    for (const organizationId of round.paused) this.#lanes.get(organizationId)?.dropClaimed()
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

  async #take(): Promise<void> {
    if (this.#toTake.size === 0) return
    const wanted = [...this.#toTake].map(([organizationId, wakesHolder]) => ({ organizationId, wakesHolder }))
    // Clear it before the statement runs: a wake that arrives while it runs is for the next one.
    this.#toTake.clear()
    const sentAt = performance.now()
    this.#claimTime.shortenIfQuick(sentAt)
    const { ms } = this.#claimTime
    const mine = await this.#store.take(wanted, ms).catch((error) => {
      for (const { organizationId, wakesHolder } of wanted) this.#wake([organizationId], wakesHolder)
      throw error
    })
    for (const organizationId of mine) {
      const lane = this.#lanes.get(organizationId) ?? this.#createLane(organizationId)
      this.#lanes.set(organizationId, lane)
      lane.heldUntil = sentAt + leaseMs - leaseMarginMs
      lane.claimMs = ms
      lane.wake()
    }
  }

  #createLane(organizationId: string): Lane {
    return new Lane({
      organizationId,
      timeoutMs: this.#options.timeoutMs,
      limit: this.#inFlight.limitOf(organizationId),
      hasFreeSlot: (ofOne) => this.#inFlight.hasFreeSlot(ofOne, this.#lanes.size),
      attempt: (event, limits) => this.#inFlight.run(() => this.#options.attempt(event, limits)),
      onFinished: (attempt, isLast) => {
        countAttempt(this.#options.metrics, attempt)
        this.#records.add(attempt, { mayGather: !isLast && !this.#isStopping })
        this.#kick()
      },
      onChange: this.#kick,
    })
  }

  async #renew(): Promise<void> {
    if (performance.now() < this.#renewedAt + renewMs) return
    const held = this.held()
    if (held.length > 0) {
      const sentAt = performance.now()
      const { ms } = this.#claimTime
      const organizationIds = held.map(({ organizationId }) => organizationId)
      const renewed = await this.#store.renew(organizationIds, ms)
      for (const lane of held) {
        const woken = renewed.get(lane.organizationId)
        lane.heldUntil = woken === undefined ? 0 : sentAt + leaseMs - leaseMarginMs
        lane.claimMs = ms
        if (woken !== undefined && woken !== lane.woken) lane.wake()
      }
    }
    this.#renewedAt = performance.now()
  }

  async #claim(): Promise<void> {
    if (this.#isStopping) return
    const wanted = findClaims(this.held())
    // Organizations whose deep claims wait go before these do so again.
    for (const { lane } of wanted.filter(({ claim }) => claim.skipped.length > 0)) {
      this.#lanes.delete(lane.organizationId)
      this.#lanes.set(lane.organizationId, lane)
    }
    if (wanted.length === 0) return
    const sentAt = performance.now()
    for (const { lane } of wanted) lane.beginClaim()
    const seen = await this.#store.claim(wanted.map(({ claim }) => claim)).catch((error) => {
      for (const { lane } of wanted) lane.wake()
      throw error
    })
    const answeredAt = performance.now()
    // The next round writes a longer time into the rows of the lanes, before the next claim.
    if (this.#claimTime.adaptTo(answeredAt - sentAt, answeredAt)) this.#renewedAt = Number.NEGATIVE_INFINITY
    if (this.#isStopping) return
    for (const { lane, claim } of wanted) {
      const answer = seen.get(lane.organizationId)
      if (answer) lane.setClaimed(answer, claim, sentAt + lane.claimMs)
      else lane.heldUntil = 0
    }
  }

  /** Releases idle lanes, and forgets lanes whose lease has ended. */
  async #release(): Promise<void> {
    const idle = this.held().filter((lane) => lane.isIdle)
    if (idle.length > 0) {
      const released = new Set(await this.#store.release(idle))
      for (const lane of idle) this.#afterRelease(lane, released.has(lane.organizationId))
    }
    for (const lane of this.#lanes.values()) {
      if (lane.isHeld) continue
      lane.dropClaimed()
      if (!lane.isBusy) this.#lanes.delete(lane.organizationId)
    }
  }

  #afterRelease(lane: Lane, isReleased: boolean): void {
    // Another worker has woken this lane since the last claim.
    if (!isReleased) return void lane.wake()
    lane.heldUntil = 0
    // A wake for this lane arrived while it was released.
    if (!lane.isIdle) this.#toTake.set(lane.organizationId, true)
  }

  held(): Lane[] {
    return [...this.#lanes.values()].filter(({ isHeld }) => isHeld)
  }

  /** Whether there may be more to do at once. */
  #hasWork(): boolean {
    if (this.#toTake.size > 0 || this.#records.dueInMs() === 0) return true
    if (this.#isStopping) return false
    return this.held().some((lane) => lane.toClaim() !== null || lane.isIdle)
  }

  /** Resolves at the next kick, or after this time. */
  async #signalled(atMostMs: number): Promise<void> {
    const timer = setTimeout(this.#kick, atMostMs)
    await this.#signal.promise
    clearTimeout(timer)
  }
}
