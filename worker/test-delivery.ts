import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { isOutage } from '../src/database/outage.ts'
import { testClaimMs } from '../src/events/claim.ts'
import type { Metrics } from '../src/metrics/metrics.ts'
import type { Clock } from './clock.ts'
import type { LaneOptions } from './lane.ts'
import type { EventToSend } from './lane-store.ts'
import { countAttempt } from './measure.ts'
import type { FinishedAttempt } from './record-attempts.ts'
import { withoutTexts } from './record-queue.ts'

/** How many tests of one organization, and of all, this worker sends at once: a receiver that hangs delays no other. */
const atOnce = { ofOne: 2, ofAll: 128 }
const recordAgainMs = 250
const recordWithinMs = 5_000
const stopMarginMs = 3_000

type TestDeliveryOptions = {
  pool: pg.Pool
  attempt: LaneOptions['attempt']
  clock: Clock
  logger: Pick<Logger, 'warn'>
  metrics: Metrics
  timeoutMs: number
}

/**
 * Sends the tests of webhooks beside the lanes (decision 47). A test's `due_at` is a worker's lease on it: if the worker ends
 * before the attempt is recorded, another makes it again, under the same id.
 */
export class TestDelivery {
  readonly #options: TestDeliveryOptions
  readonly #leaseMs: number
  readonly #running = new Map<string, Map<string, Promise<void>>>()
  #isStopping = false

  constructor(options: TestDeliveryOptions) {
    this.#options = options
    this.#leaseMs = options.timeoutMs + 2 * recordWithinMs
  }

  /** These organizations may have a test to send. Never waits, never fails. */
  wake(organizationIds: readonly string[]): void {
    // If it fails, the sweep finds the tests.
    if (organizationIds.length > 0) void this.sweep(organizationIds).catch(() => {})
  }

  /** Starts as many unsent tests as may start, of these organizations or of all. */
  async sweep(organizationIds: readonly string[] | null = null): Promise<void> {
    for (const { organizationId, eventId } of await this.#find(organizationIds)) this.#start(organizationId, eventId)
  }

  /** Starts nothing more, and lets running attempts end and be recorded. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const running = [...this.#running.values()].flatMap((ofOne) => [...ofOne.values()])
    const stopMs = this.#options.timeoutMs + stopMarginMs
    await Promise.race([Promise.all(running), wait(stopMs, undefined, { ref: false })])
  }

  #start(organizationId: string, eventId: string): void {
    const ofOne = this.#running.get(organizationId) ?? new Map<string, Promise<void>>()
    const ofAll = [...this.#running.values()].reduce((sum, { size }) => sum + size, 0)
    if (this.#isStopping || ofOne.has(eventId) || ofOne.size >= atOnce.ofOne || ofAll >= atOnce.ofAll) return
    this.#running.set(organizationId, ofOne)
    const running = this.#send(organizationId, eventId)
      .catch((error) => this.#options.logger.warn({ err: error, organizationId }, 'a test will be sent again later'))
      .then(() => {
        ofOne.delete(eventId)
        if (ofOne.size === 0) this.#running.delete(organizationId)
        this.wake([organizationId])
      })
    ofOne.set(eventId, running)
  }

  async #send(organizationId: string, eventId: string): Promise<void> {
    const { attempt, metrics, timeoutMs } = this.#options
    const startedAt = performance.now()
    for (let isRepeat = false; ; isRepeat = true) {
      const readAt = performance.now()
      const claimed = await this.#take(organizationId, eventId, isRepeat)
      if (!claimed || this.#isStopping) return
      const result = await attempt(claimed, {
        leftMs: Math.max(1, timeoutMs - (performance.now() - startedAt)),
        mayLeave: () => performance.now() < readAt + testClaimMs,
      })
      if (result === 'lapsed') continue
      const { attempts: attemptsBefore, once, queuedAt } = claimed
      const made = { organizationId, eventId, attemptsBefore, once, queuedAt, startedAt, finishedAt: performance.now() }
      const finished = { ...result, ...made, counted: [] }
      countAttempt(metrics, finished)
      return this.#recordAgain(finished)
    }
  }

  async #recordAgain(finished: FinishedAttempt): Promise<void> {
    let attempt = finished
    for (;;) {
      try {
        return await this.#record(attempt)
      } catch (error) {
        if (performance.now() > finished.finishedAt + recordWithinMs) throw error
        if (!isOutage(error)) attempt = withoutTexts(finished)
        await wait(recordAgainMs)
      }
    }
  }

  /**
   * The tests of each organization that it may send at once, the oldest first. A lease that lasts too long is void: the clock
   * has stepped back.
   */
  async #find(organizationIds: readonly string[] | null): Promise<{ organizationId: string; eventId: string }[]> {
    if (this.#isStopping) return []
    const { rows } = await this.#options.pool.query(
      `select organization_id as "organizationId", event_id as "eventId"
         from (select organization_id, event_id, row_number() over (partition by organization_id order by event_id) as ordinal
                 from webhook_event
                where state = 'queued' and type = 'webhook.test' and ($1::text[] is null or organization_id = any($1))
                  and (${this.#isFree()})) waiting
        where ordinal <= ${atOnce.ofOne} order by ordinal, event_id limit ${atOnce.ofAll}`,
      [organizationIds],
    )
    return rows
  }

  #isFree(): string {
    return `due_at <= clock_timestamp() or due_at > clock_timestamp() + interval '${this.#leaseMs + 1000} milliseconds'`
  }

  /** Takes the lease, or renews it if it `isMine`, and reads the endpoint's address and secret at the same moment. */
  async #take(organizationId: string, eventId: string, isMine: boolean): Promise<EventToSend | undefined> {
    const { rows } = await this.#options.pool.query<EventToSend>(
      `update webhook_event event set due_at = clock_timestamp() + interval '${this.#leaseMs} milliseconds'
         from webhook_endpoint endpoint
        where event.organization_id = $1 and event.event_id = $2 and endpoint.organization_id = $1
          and event.state = 'queued' and event.type = 'webhook.test' and ($3 or ${this.#isFree()})
       returning event.organization_id as "organizationId", event.event_id as "eventId", event.body, event.attempts,
                 event.once, event.queued_at as "queuedAt", endpoint.url, endpoint.secret as "sealedSecret"`,
      [organizationId, eventId, isMine],
    )
    return rows[0]
  }

  /** Ends the test. Unlike other attempts this neither locks nor changes the endpoint. */
  async #record(attempt: FinishedAttempt): Promise<void> {
    const { organizationId, eventId, attemptsBefore, startedAt, finishedAt, status, error, answer, headers } = attempt
    await this.#options.pool.query(
      `with clock as materialized (select ${this.#options.clock.sql()} as now),
       event as (
         update webhook_event
            set attempts = $3, state = $4::webhook_event_state, due_at = null, finished_at = clock.now
           from clock
          where organization_id = $1 and event_id = $2 and state = 'queued' and attempts = $3 - 1
         returning organization_id, event_id, attempts)
       insert into webhook_attempt (organization_id, event_id, number, started_at, duration_ms, status, error, answer,
                                    headers)
       select event.organization_id, event.event_id, event.attempts, clock.now - $5 * interval '1 millisecond', $6, $7, $8,
              $9, $10
         from event, clock`,
      [
        organizationId,
        eventId,
        attemptsBefore + 1,
        error === null ? 'delivered' : 'failed',
        Math.max(0, performance.now() - startedAt),
        Math.round(finishedAt - startedAt),
        status,
        error,
        answer,
        headers && JSON.stringify(headers),
      ],
    )
  }
}
