/** Measures the worker's bulk work, and the checks that run at the same time. */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { request } from '../exchanges.ts'
import { type LoadResult, runLoad } from '../http-load.ts'
import { features, organizationId } from '../people-seed.ts'
import { type ServiceHalf, startBareServer, startHalf } from '../processes.ts'
import type { Line } from './line.ts'
import { expectingStatus } from './times.ts'

type BackgroundOptions = {
  port: number
  databaseUrl: string
  dataDir: string
  key: string
  subscribers: number
  durationMs: number
}

/** During this work, the slowest check in a hundred may take this many times as long. */
const atMostTimes = 2
const expiring = 10_000
const unsent = `webhook_event where state = 'queued'`

/** Measures the expiry of many overrides in one second, then the pruning of all events. Yields tables and sentences. */
export async function* compareBackground(options: BackgroundOptions): AsyncGenerator<Line | string> {
  const receiver = await startBareServer('')
  const pool = new pg.Pool({ connectionString: options.databaseUrl, max: 2 })
  try {
    await putWebhook(options, `http://127.0.0.1:${receiver.port}`)
    yield* compareExpiry(options, pool)
    yield* comparePruning(options, pool)
  } finally {
    await pool.end()
    await receiver.stop()
  }
}

async function putWebhook({ port, key }: BackgroundOptions, url: string): Promise<void> {
  const next = () => expectingStatus(request('PUT', '/org/webhook', key, JSON.stringify({ url })))
  await runLoad({ port, connections: 1, requests: 1, next })
}

async function* compareExpiry(options: BackgroundOptions, pool: pg.Pool): AsyncGenerator<Line | string> {
  const worker = await startWorker(options, 36_500)
  try {
    await until(pool, unsent)
    const alone = await measureChecks(options)
    const endsAt = Date.now() + 4000
    await seedExpiring(pool, options.subscribers, endsAt)
    await wait(Math.max(0, endsAt - Date.now() - 1000))
    const measured = measureChecks(options)
    await wait(Math.max(0, endsAt - Date.now()))
    await until(pool, `override where not expiry_marked and expires_at <= to_timestamp(${endsAt + 1000} / 1000.0)`)
    const markedMs = Date.now() - endsAt - 1000
    await until(pool, unsent)
    const receivedMs = Date.now() - endsAt - 1000
    yield toLine(`checks while ${expiring} overrides end in one second`, alone, await measured)
    yield `All ${expiring} were marked and queued ${markedMs} ms after the last one ended, and received after ${receivedMs} ms.`
  } finally {
    await worker.stop()
  }
}

/** Adds one job for each override, as each put would. */
async function seedExpiring(pool: pg.Pool, subscribers: number, endsAt: number): Promise<void> {
  const count = Math.min(expiring, subscribers / 5)
  const at = `to_timestamp(${endsAt} / 1000.0) + n * interval '1 second' / ${count}`
  await pool.query(
    `insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", expires_at, created_at, updated_at)
     select $1, 'customer-' || lpad((n * 5 + 1)::text, 7, '0'), 'feature-2', 'growth-' || n, 'limit', 1, ${at}, now(), now()
       from generate_series(0, $2::int - 1) n
     on conflict (organization_id, subscriber_id, feature_key) do update set expires_at = excluded.expires_at, expiry_marked = false`,
    [organizationId, count],
  )
  await pool.query(
    `insert into pgboss.job (name, data, start_after, policy, retry_limit, retry_delay, expire_seconds, deletion_seconds)
     select 'override.expire', json_build_object('organizationId', $1::text), ${at}, 'standard', 10, 1, 30, 60
       from generate_series(0, $2::int - 1) n`,
    [organizationId, count],
  )
}

async function* comparePruning(options: BackgroundOptions, pool: pg.Pool): AsyncGenerator<Line | string> {
  const alone = await measureChecks(options)
  const before = await countEvents(pool)
  const pruned = new AbortController()
  const startedAt = performance.now()
  const worker = await startWorker(options, 1)
  try {
    const measured = measureChecks({ ...options, durationMs: 600_000 }, pruned.signal)
    // Reads statistics, because a query would find deleted rows as slowly as the worker does.
    while (await isPruning(pool)) await wait(200)
    pruned.abort()
    const beside = await measured
    const seconds = (performance.now() - startedAt) / 1000
    const deleted = before - (await countEvents(pool))
    yield toLine(`checks while ${deleted} delivered events are pruned`, alone, beside)
    yield `Pruning took ${seconds.toFixed(0)} s: ${(deleted / seconds).toFixed(0)} events a second, each with an attempt.`
  } finally {
    await worker.stop()
  }
}

/** Whether a pruning statement ran within the last second. */
async function isPruning(pool: pg.Pool): Promise<boolean> {
  for (let look = 0; look < 20; look++) {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and state_change > now() - interval '1 second' and query like '%delete from webhook_event %'`,
    )
    if (rowCount !== 0) return true
    await wait(50)
  }
  return false
}

async function countEvents(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query('select count(*)::int as events from webhook_event')
  return rows[0].events
}

/** A load below the machine's limit, where every request would slow down all others. */
function measureChecks(options: BackgroundOptions, signal?: AbortSignal): Promise<LoadResult> {
  const { port, key, subscribers, durationMs } = options
  const random = (below: number) => Math.floor(Math.random() * below)
  const next = () => {
    const path = `/org/subscribers/customer-${String(random(subscribers)).padStart(7, '0')}/entitlements/check`
    return expectingStatus(request('POST', path, key, `{"feature":"feature-${random(features)}"}`))
  }
  return runLoad({ port, connections: 8, pauseMs: 20, durationMs, next, ...(signal && { signal }) })
}

function startWorker({ databaseUrl, dataDir }: BackgroundOptions, retentionDays: number): Promise<ServiceHalf> {
  return startHalf('worker', { databaseUrl, dataDir, env: { WEBHOOK_RETENTION_DAYS: `${retentionDays}` } })
}

function toLine(what: string, alone: LoadResult, beside: LoadResult): Line {
  const ratio = beside.p99Ms / alone.p99Ms
  const p99 = ({ p99Ms }: LoadResult) => `p99 ${p99Ms.toFixed(1)} ms`
  return { what, small: p99(alone), large: p99(beside), ratio, limit: `≤ ${atMostTimes}`, isFlat: ratio <= atMostTimes }
}

/** Waits until the organization has no such row. Reads in index order, so that the polls do not slow the measured work. */
async function until(pool: pg.Pool, rows: string): Promise<void> {
  const giveUpAt = Date.now() + 120_000
  const order = rows === unsent ? 'attempts, sequence' : 'expires_at'
  for (;;) {
    const { rowCount } = await pool.query(`select from ${rows} and organization_id = $1 order by ${order} limit 1`, [
      organizationId,
    ])
    if (rowCount === 0) return
    if (Date.now() > giveUpAt) throw new Error(`rows of ${rows} remain after two minutes`)
    await wait(50)
  }
}
