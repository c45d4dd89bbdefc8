import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Config } from '../src/config.ts'
import type { Vault } from '../src/core/vault.ts'
import { warnAtIntervals } from '../src/core/warn-at-intervals.ts'
import type { Database } from '../src/database/client.ts'
import { deriveAuditKeys } from '../src/database/master-key.ts'
import { listenForNotifications } from '../src/events/listen-for-notifications.ts'
import { queueNames, type WakeJob } from '../src/events/queues.ts'
import { createFollowersWaker } from '../src/events/waker.ts'
import { readTestWakes, readWakes, wakeChannel } from '../src/events/wakes.ts'
import { Metrics } from '../src/metrics/metrics.ts'
import type { Tracing } from '../src/tracing/tracing.ts'
import { startChaining } from './audit-chain.ts'
import { expireOptions, startBoss, workOptions } from './boss.ts'
import { type Clock, systemClock } from './clock.ts'
import { createAttempt } from './create-attempt.ts'
import { Delivery } from './delivery.ts'
import { countEvents } from './jobs/count-events.ts'
import {
  countAllStoredBytes,
  countStoredBytes,
  findOrganizationsNearCap,
  findOrganizationsToCount,
} from './jobs/count-stored-bytes.ts'
import { type ExpireOptions, expireOverrides, findOrganizationsToExpire } from './jobs/expire-overrides.ts'
import { shortenWaits } from './jobs/shorten-waits.ts'
import { addWebhookMetrics } from './measure.ts'
import { startPruning } from './pruning.ts'
import { repeat } from './repeat.ts'
import { runExclusively } from './run-exclusively.ts'
import { createSender } from './send.ts'
import { TestDelivery } from './test-delivery.ts'

const seconds = 1000
const minutes = 60 * seconds
const shortenWaitsMs = 1 * minutes
/** How often the stored bytes of new organizations, and of those close to their cap, are counted; others are counted hourly. */
const countMs = 5 * minutes
const countAllMs = 60 * minutes
/** How often events are counted for the metrics. */
const measureMs = 15 * seconds
/** How soon due overrides are checked again after they could not be marked, for example because a write had locked them. */
const lockedRetryMs = 200
const maxPerSweep = 1000
/** The minimum time between two log lines about overrides that could not be marked. */
const quietMs = 1 * minutes

type WorkerOptions = {
  config: Pick<
    Config,
    | 'webhookRetryWaitsSeconds'
    | 'webhookAttemptTimeoutMs'
    | 'webhookAllowPrivateNetworks'
    | 'webhookProxyUrl'
    | 'webhookMaxInFlight'
    | 'webhookRetentionDays'
    | 'changesRetentionHours'
    | 'maxStoredBytes'
    | 'auditRetentionDays'
    | 'delivers'
  >
  database: Database
  /** The URL of a direct connection to the database, not through a PgBouncer. */
  directUrl: string
  vault: Vault
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  clock?: Clock
  /** How often sweeps look for events whose wake was lost, and for overrides whose job was lost; every second if absent. */
  sweepMs?: number
  /** Absent when metrics are disabled. */
  metrics?: Metrics | undefined
  /** Absent when traces are not exported. */
  tracing?: Tracing | undefined
}

export type Worker = {
  /** Called when events of these organizations were committed. Never waits, never fails. */
  wake(organizationIds: readonly string[]): void
  /** Called when these organizations have a test to send. Never waits, never fails. */
  test(organizationIds: readonly string[]): void
  /** Starts no new work, waits until running attempts have ended and are recorded, and releases the delivery queues. */
  stop(): Promise<void>
}

/** Sends queued events, and queues events for overrides that start or end. Any number of workers may share a database. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const {
    config,
    database,
    directUrl,
    vault,
    logger,
    clock = systemClock,
    sweepMs = 1 * seconds,
    metrics = new Metrics(),
    tracing,
  } = options
  const { pool } = database
  const timeoutMs = config.webhookAttemptTimeoutMs
  const boss = await startBoss(pool, logger)
  const { webhookAllowPrivateNetworks: allowPrivateNetworks, webhookProxyUrl: proxyUrl } = config
  const sender = createSender({ allowPrivateNetworks, proxyUrl, timeoutMs })
  const waitsSeconds = config.webhookRetryWaitsSeconds
  const attempt = createAttempt({ vault, sender, clock, logger, timeoutMs, tracing })
  const { webhookMaxInFlight: maxInFlight } = config
  const delivery = new Delivery({ pool, boss, attempt, clock, logger, metrics, waitsSeconds, timeoutMs, maxInFlight })
  const tests = new TestDelivery({ pool, attempt, clock, logger, metrics, timeoutMs })
  metrics.webhookLanesHeld.addSource(() => [{ value: delivery.leasedQueues().length }])
  const { delivers } = config
  const wake = (organizationIds: readonly string[]) => {
    if (delivers) delivery.wake(organizationIds)
  }
  const wakeTests = (organizationIds: readonly string[]) => {
    if (delivers) tests.wake(organizationIds)
  }
  const followers = createFollowersWaker(pool, logger)
  const wakeFollowers = (organizationIds: readonly string[]) => organizationIds.forEach(followers.wake)
  const expiry = startExpiry({ pool, clock, wake, wakeFollowers, metrics }, logger)
  await handleJobs(boss, wake, expiry)
  const listener = listenForNotifications(wakeChannel, {
    url: directUrl,
    logger,
    lostMessage: 'lost the connection that listens for new events, which are found within a second',
    onNotification(payload) {
      if (delivers) delivery.handleNotification(readWakes(payload))
      wakeTests(readTestWakes(payload))
    },
  })

  const loops = [
    repeat({ everyMs: sweepMs, what: 'looking for due events', logger }, async () => {
      if (!delivers) return
      delivery.wakeLeasedQueues()
      delivery.wake(await delivery.findWaitingOrganizations(maxPerSweep))
      await tests.sweep()
    }),
    repeat({ everyMs: sweepMs, what: 'looking for expired overrides', logger }, () => expiry.sweep()),
    repeat({ everyMs: shortenWaitsMs, what: 'shortening retry delays', logger }, async () => {
      await shortenWaits({ pool, clock, waitsSeconds })
    }),
    startPruning({ config, pool, clock, vault, logger }),
    startChaining({ pool, clock, keys: deriveAuditKeys(vault), logger, metrics }),
    repeat({ everyMs: countMs, what: 'counting stored bytes', logger }, startCounting(options, clock)),
  ]
  if (options.metrics) loops.push(startMeasuring(options.metrics, { pool, clock, logger }))
  return {
    wake,
    test: wakeTests,
    async stop() {
      // From now on no event is sent; another worker's sweep finds the events of later jobs.
      const delivered = Promise.all([delivery.stop(), tests.stop()])
      await Promise.all([
        listener.close(),
        ...loops.map((each) => each.stop()),
        ...queueNames.map((queue) => boss.offWork(queue)),
        expiry.stop(),
      ])
      await Promise.all([delivered, followers.stop()])
      await boss.stop({ graceful: false })
      await sender.close()
    },
  }
}

/** Counts events for the metrics. */
function startMeasuring(metrics: Metrics, { pool, clock, logger }: Pick<WorkerOptions, 'logger'> & CountOptions) {
  const setFigures = addWebhookMetrics(metrics)
  return repeat({ everyMs: measureMs, what: 'counting events', logger }, async () =>
    setFigures(await countEvents({ pool, clock })),
  )
}

type CountOptions = Parameters<typeof countEvents>[0]

/** Counts in one process at a time. A process that counts soon after another one finds few organizations to count. */
function startCounting({ config, database: { pool }, directUrl }: WorkerOptions, clock: Clock) {
  let countedAllAt = Number.NEGATIVE_INFINITY
  return async (signal: AbortSignal) => {
    await runExclusively({ url: directUrl, name: 'stored bytes', signal }, async (signal) => {
      const options = { pool, clock, signal }
      const urgent = [
        ...(await findOrganizationsToCount(options)),
        ...(await findOrganizationsNearCap(pool, config.maxStoredBytes)),
      ]
      await countStoredBytes(options, [...new Set(urgent)], countMs / seconds / 2)
      if (performance.now() < countedAllAt + countAllMs) return
      await countAllStoredBytes(options, (countAllMs - countMs) / seconds)
      countedAllAt = performance.now()
    })
  }
}

async function handleJobs(boss: PgBoss, wake: Worker['wake'], expiry: Expiry): Promise<void> {
  // The state is in the tables, and the sweep finds what was missed, so a job ends without waiting for a receiver.
  await boss.work<WakeJob>('webhook.wake', workOptions, async (jobs) =>
    wake(jobs.map(({ data }) => data.organizationId)),
  )
  // A job expires all due overrides of its organization, including those whose own jobs still wait.
  await boss.work<WakeJob>('override.expire', expireOptions, (jobs) =>
    expiry.sweep(jobs.map(({ data }) => data.organizationId)),
  )
}

type Expiry = ReturnType<typeof startExpiry>

function startExpiry(options: Omit<ExpireOptions, 'signal'>, logger: Pick<Logger, 'warn'>) {
  const stopping = new AbortController()
  const { signal } = stopping
  const warn = warnAtIntervals(logger, quietMs)
  /** Organizations to check. One call at a time checks them, including those that are added while it runs. */
  const waiting = new Set<string>()
  /** Organizations with overrides that a write had locked. */
  const unfinished = new Set<string>()
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  function expire(organizationIds: Iterable<string>): void {
    for (const organizationId of organizationIds) waiting.add(organizationId)
    if (waiting.size > 0 && !signal.aborted) running ??= expireWaiting()
  }

  async function expireWaiting(): Promise<void> {
    try {
      while (waiting.size > 0 && !signal.aborted) {
        const locked = await expireOverrides({ ...options, signal }, waiting)
        for (const organizationId of locked) unfinished.add(organizationId)
        if (unfinished.size > 0 && !signal.aborted) timer ??= setTimeout(expireUnfinished, lockedRetryMs)
      }
    } catch (error) {
      // The sweep finds the overrides later.
      if (!signal.aborted) warn({ err: error }, 'expired overrides will be checked again later')
    } finally {
      running = null
    }
  }

  function expireUnfinished(): void {
    timer = null
    const organizationIds = [...unfinished]
    unfinished.clear()
    expire(organizationIds)
  }

  return {
    /** Expires overrides of these organizations and of those that have waited longest. Does not wait until they are expired. */
    sweep: async (organizationIds: readonly string[] = []) =>
      expire([...organizationIds, ...(await findOrganizationsToExpire(options))]),
    async stop() {
      stopping.abort()
      if (timer) clearTimeout(timer)
      await running
    },
  }
}
