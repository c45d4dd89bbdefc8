import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { isOpenToWorkers } from '../src/access/organization-move.ts'
import { isOutage } from '../src/database/outage.ts'
import { testLeaseMs } from '../src/events/batch-lease.ts'
import type { Metrics } from '../src/metrics/metrics.ts'
import type { Clock } from './clock.ts'
import type { DeliveryQueueOptions } from './delivery-queue.ts'
import type { EventToSend } from './delivery-queue-store.ts'
import { countAttempt } from './measure.ts'
import type { FinishedAttempt } from './record-attempts.ts'
import { withoutTexts } from './record-queue.ts'

/** How many tests this worker sends at once, so that a receiver that hangs does not delay others. */
const maxRunning = { perOrganization: 2, total: 128 }
const retryRecordMs = 250
const maxRecordMs = 5_000
const stopMarginMs = 3_000

type TestDeliveryOptions = {
  pool: pg.Pool
  attempt: DeliveryQueueOptions['attempt']
  clock: Clock
  logger: Pick<Logger, 'warn'>
  metrics: Metrics
  timeoutMs: number
}

/**
 * Sends test events outside of the delivery queues (decision 47). A worker leases a test by setting its `due_at`: if the worker
 * ends before it has recorded the attempt, another worker repeats the attempt with the same id.
 */
export class TestDelivery {
  readonly #options: TestDeliveryOptions
  readonly #leaseMs: number
  readonly #running = new Map<string, Map<string, Promise<void>>>()
  #isStopping = false

  constructor(options: TestDeliveryOptions) {
    this.#options = options
    this.#leaseMs = options.timeoutMs + 2 * maxRecordMs
  }

  /** Called when these organizations may have a test to send. Never waits, never fails. */
  wake(organizationIds: readonly string[]): void {
    // If this fails, the next sweep finds the tests.
    if (organizationIds.length > 0) void this.sweep(organizationIds).catch(() => {})
  }

  /** Sends as many waiting tests as the limits allow, of these organizations or of all. */
  async sweep(organizationIds: readonly string[] | null = null): Promise<void> {
    for (const { organizationId, eventId } of await this.#find(organizationIds)) this.#start(organizationId, eventId)
  }

  /** Starts no more attempts, and waits until running attempts have ended and are recorded. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const running = [...this.#running.values()].flatMap((ofOrganization) => [...ofOrganization.values()])
    const stopMs = this.#options.timeoutMs + stopMarginMs
    await Promise.race([Promise.all(running), wait(stopMs, undefined, { ref: false })])
  }

  #start(organizationId: string, eventId: string): void {
    const ofOrganization = this.#running.get(organizationId) ?? new Map<string, Promise<void>>()
    const total = [...this.#running.values()].reduce((sum, { size }) => sum + size, 0)
    if (this.#isStopping || ofOrganization.has(eventId)) return
    if (ofOrganization.size >= maxRunning.perOrganization || total >= maxRunning.total) return
    this.#running.set(organizationId, ofOrganization)
    const end = () => {
      ofOrganization.delete(eventId)
      if (ofOrganization.size === 0) this.#running.delete(organizationId)
    }
    const running = this.#send(organizationId, eventId).then(
      () => {
        end()
        this.wake([organizationId])
      },
      (error) => {
        end()
        // The next sweep sends the test. Sent at once, it would fail again, for example while the database takes no writes.
        this.#options.logger.warn({ err: error, organizationId }, 'a test will be sent again later')
      },
    )
    ofOrganization.set(eventId, running)
  }

  async #send(organizationId: string, eventId: string): Promise<void> {
    const { attempt, metrics, timeoutMs } = this.#options
    const startedAt = performance.now()
    for (let isRenewal = false; ; isRenewal = true) {
      const readAt = performance.now()
      const event = await this.#lease(organizationId, eventId, isRenewal)
      if (!event || this.#isStopping) return
      const result = await attempt(event, {
        remainingMs: Math.max(1, timeoutMs - (performance.now() - startedAt)),
        maySend: () => performance.now() < readAt + testLeaseMs,
      })
      if (result === 'lapsed') continue
      const { attempts: attemptsBefore, once, queuedAt } = event
      const attemptFields = {
        organizationId,
        eventId,
        attemptsBefore,
        once,
        queuedAt,
        startedAt,
        finishedAt: performance.now(),
      }
      const finished = { ...result, ...attemptFields, counted: [] }
      countAttempt(metrics, finished)
      return this.#recordWithRetries(finished)
    }
  }

  async #recordWithRetries(finished: FinishedAttempt): Promise<void> {
    let attempt = finished
    for (;;) {
      try {
        return await this.#record(attempt)
      } catch (error) {
        if (performance.now() > finished.finishedAt + maxRecordMs) throw error
        if (!isOutage(error)) attempt = withoutTexts(finished)
        await wait(retryRecordMs)
      }
    }
  }

  /** Finds the oldest waiting tests of each organization, at most as many as may be sent at once. */
  async #find(organizationIds: readonly string[] | null): Promise<{ organizationId: string; eventId: string }[]> {
    if (this.#isStopping) return []
    const { rows } = await this.#options.pool.query(
      `select organization_id as "organizationId", event_id as "eventId"
         from (select organization_id, event_id, row_number() over (partition by organization_id order by event_id) as ordinal
                 from webhook_event
                where state = 'queued' and type = 'webhook.test' and ($1::text[] is null or organization_id = any($1))
                  and (${this.#isFree()}) and ${isOpenToWorkers('webhook_event.organization_id')}) waiting
        where ordinal <= ${maxRunning.perOrganization} order by ordinal, event_id limit ${maxRunning.total}`,
      [organizationIds],
    )
    return rows
  }

  /** SQL: whether a test is not leased. A lease that ends too late is void: the database's clock has stepped back since. */
  #isFree(): string {
    return `due_at <= clock_timestamp() or due_at > clock_timestamp() + interval '${this.#leaseMs + 1000} milliseconds'`
  }

  /** Leases the test, or renews the lease if it `isOurs`, and reads the endpoint's address and secret at the same moment. */
  async #lease(organizationId: string, eventId: string, isOurs: boolean): Promise<EventToSend | undefined> {
    const { rows } = await this.#options.pool.query<EventToSend>(
      `update webhook_event event set due_at = clock_timestamp() + interval '${this.#leaseMs} milliseconds'
         from webhook_endpoint endpoint
        where event.organization_id = $1 and event.event_id = $2 and endpoint.organization_id = $1
          and event.state = 'queued' and event.type = 'webhook.test' and ($3 or ${this.#isFree()})
          and ${isOpenToWorkers('event.organization_id')}
       returning event.organization_id as "organizationId", event.event_id as "eventId", event.body, event.attempts,
                 event.once, event.queued_at as "queuedAt", endpoint.url, endpoint.secret as "sealedSecret"`,
      [organizationId, eventId, isOurs],
    )
    return rows[0]
  }

  /** Records the attempt and ends the test, without a lock or change of the endpoint. */
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
