import { pino } from 'pino'
import { expect } from 'vitest'
import { type Config, loadConfig } from '../../src/config.ts'
import { connectDatabase } from '../../src/database/client.ts'
import { openVault } from '../../src/database/master-key.ts'
import type { Metrics } from '../../src/metrics/metrics.ts'
import type { WebhookEvent } from '../../src/modules/webhook/event.ts'
import type { Tracing } from '../../src/tracing/tracing.ts'
import type { Clock } from '../../worker/clock.ts'
import { startWorker, type Worker } from '../../worker/main.ts'
import { atEnd } from './at-end.ts'
import { createOwnDatabase } from './own-database.ts'
import { type Behaviour, type Receiver, startReceiver } from './receiver.ts'
import { type Caller, startService, type TestService } from './service.ts'
import { until } from './until.ts'
import { vendor } from './vendor.ts'

/** The clock of workers, ahead of the real one by an offset that a test sets. */
type TestClock = Clock & { advance(seconds: number): void }

export function createTestClock(): TestClock {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    sql: () => `(statement_timestamp() + interval '${aheadMs} milliseconds')`,
    advance(seconds) {
      aheadMs += seconds * 1000
    },
  }
}

/** A vendor whose events go to a receiver. */
export type SubscribedOrganization = Caller & { secret: string; receiver: Receiver }

export type DeliveryTest = {
  url: string
  service: TestService
  clock: TestClock
  /** A worker in this process, stopped after the test or the file. */
  worker(options?: { env?: Record<string, string>; clock?: Clock; databaseUrl?: string }): Promise<Pick<Worker, 'stop'>>
  /** An organization with a receiver, the limit `seats` and the subscriber `acme`. */
  vendor(behaviour?: Behaviour | number): Promise<SubscribedOrganization>
  /** Creates this many events, one write each; resolves to their ids in order. */
  emit(caller: Caller, count?: number): Promise<string[]>
  /**
   * Queues this many events with one statement, due now, distributed over this many subscribers (`cust_1` and so on), by
   * default one for each; resolves to their ids in order.
   */
  queue(caller: Caller, count: number, subscribers?: number): Promise<string[]>
  events(caller: Caller): Promise<WebhookEvent[]>
  /** Resolves when every event of the organization is in this state. */
  settled(caller: Caller, state: WebhookEvent['state']): Promise<WebhookEvent[]>
}

const variables = {
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
}

/** Counts the events of `queue`, so that no two have the same id, whichever test queued them. */
let queued = 0

/** The server and workers on the file's own database. */
export async function startDeliveryTest(env: Record<string, string> = {}): Promise<DeliveryTest> {
  return createDeliveryTest(await createOwnDatabase(), env)
}

/** Like `startDeliveryTest`, on an existing database. */
export async function createDeliveryTest(
  url: string,
  env: Record<string, string> = {},
  metrics?: Metrics,
  tracing?: Tracing,
): Promise<DeliveryTest> {
  const service = await startService({ ...variables, ...env, DATABASE_URL: url }, undefined, undefined, {
    metrics,
    tracing,
  })
  const clock = createTestClock()
  const { prisma, pool } = service.database
  let value = 0

  async function events({ organizationId }: Caller): Promise<WebhookEvent[]> {
    return prisma.webhookEvent.findMany({ where: { organizationId }, orderBy: { id: 'asc' } })
  }

  return {
    url,
    service,
    clock,
    events,
    async worker(options = {}) {
      const config = loadConfig({ ...variables, ...env, ...options.env, DATABASE_URL: url })
      const parts = { clock: options.clock ?? clock, metrics, tracing }
      const { worker, stop } = await runWorker(options.databaseUrl ?? url, config, parts)
      atEnd(stop)
      return worker
    },
    async vendor(behaviour) {
      const [caller, receiver] = await Promise.all([service.organization(), startReceiver(behaviour)])
      atEnd(() => receiver.close())
      const setup = vendor(caller)
      await setup.feature('seats', { kind: 'limit' })
      await setup.subscriber('acme')
      const answer = await caller.rest('PUT', '/org/webhook', { url: `${receiver.url}/hook?from=test` })
      expect(answer.status).toBe(200)
      return { ...caller, secret: answer.body.secret, receiver }
    },
    async emit(caller, count = 1) {
      const before = new Set((await events(caller)).map(({ id }) => id))
      for (let i = 0; i < count; i++) {
        await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: value++ })
      }
      return (await events(caller)).map(({ id }) => id).filter((id) => !before.has(id))
    },
    async queue({ organizationId }, count, subscribers = count) {
      const queuedBefore = queued
      queued += count
      const { rows } = await pool.query(
        `insert into webhook_event (organization_id, event_id, type, subscriber_id, body, occurred_at, due_at)
         select $1, '01' || lpad(upper(to_hex($4::int + number)), 24, '0'), 'entitlements.stale',
                'cust_' || (number - 1) % $3 + 1, '{"number":' || number || '}',
                clock_timestamp(), clock_timestamp()
           from generate_series(1, $2::int) as number
         returning event_id`,
        [organizationId, count, subscribers, queuedBefore],
      )
      return rows.map(({ event_id }) => event_id)
    },
    async settled(caller, state) {
      const others = { organizationId: caller.organizationId, state: { not: state } }
      await until(async () => (await prisma.webhookEvent.count({ where: others })) === 0)
      return events(caller)
    },
  }
}

type WorkerParts = { clock: Clock; metrics: Metrics | undefined; tracing: Tracing | undefined }

async function runWorker(url: string, config: Config, parts: WorkerParts) {
  const database = connectDatabase({ url, maxConnections: 6 })
  const vault = await openVault({ pool: database.pool, ...config })
  const logger = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const worker = await startWorker({ config, database, directUrl: url, vault, logger, sweepMs: 100, ...parts })
  let stopped: Promise<void> | null = null
  const stop = () => {
    stopped ??= worker.stop().then(() => database.close())
    return stopped
  }
  return { worker: { stop }, stop }
}
