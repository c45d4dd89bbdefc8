import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { newId } from '../../../src/core/ids.ts'
import { connectDatabase, type Database } from '../../../src/database/client.ts'
import { newEvent } from '../../../src/events/event.ts'
import { type Jobs, startJobs } from '../../../src/events/jobs.ts'
import { queueEvents } from '../../../src/events/outbox.ts'
import { addAdmin } from '../../../src/modules/memberships/new-organization.ts'
import { addOrganization } from '../../../src/modules/organizations/organization.ts'
import { cpuOf } from './evals.ts'
import type { Service } from './processes.ts'

/** Targets for deliveries, in events a second; half of each is the minimum. */
const aims = { fifty: 4000, one: 1500 }

/** Slow receivers: their answer time, the number of events of one organization, and the minimum rate per second. */
const receivers = [
  { answerMs: 5, count: 6000, aim: 400 },
  { answerMs: 60, count: 4000, aim: 250 },
  { answerMs: 300, count: 2000, aim: 80 },
]
const subscribersOfOne = 1000

type Arrival = { id: string; organizationId: string; at: number }
type Bench = { database: Database; jobs: Jobs; organizationIds: string[]; arrivals: Arrival[] }

/**
 * Measures deliveries of the running service to a receiver in this process, which answers at once except in one part.
 * `only`: `expiry`, `receivers`, or empty for all. Yields lines to print.
 */
export async function* runDelivery(service: Service, only = ''): AsyncGenerator<string> {
  const database = connectDatabase({ url: service.databaseUrl, maxConnections: 4 })
  const jobs = await startJobs(database, pino({ level: 'silent' }))
  const receiver = await startReceiver()
  try {
    if (only === '' || only === 'receivers') {
      for (const each of receivers) yield await runSlowly(database, jobs, service, each)
      if (only === 'receivers') return
    }
    const organizationIds: string[] = []
    for (let i = 0; i < 50; i++) organizationIds.push(await createVendor(database, service, receiver.url))
    const bench = { database, jobs, organizationIds, arrivals: receiver.arrivals }
    if (only === '') {
      yield await runBacklog(bench, organizationIds, 20_000, aims.fifty)
      yield await runBacklog(bench, organizationIds.slice(0, 1), 10_000, aims.one)
      yield await runTrickle(bench, 500, 50)
      yield await runBesideHanging(bench, service)
    }
    yield await runExpiry(bench, service, organizationIds)
    yield await runExpiry(bench, service, [await createVendor(database, service, receiver.url)])
  } finally {
    await receiver.close()
    await jobs.stop()
    await database.close()
  }
}

async function startReceiver(answerMs = 0) {
  const arrivals: Arrival[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const at = performance.now()
      const { id, organization_id: organizationId } = JSON.parse(Buffer.concat(chunks).toString())
      arrivals.push({ id, organizationId, at })
      if (answerMs === 0) response.writeHead(204).end()
      else setTimeout(() => response.writeHead(204).end(), answerMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    arrivals,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function createVendor(database: Database, service: Service, url: string): Promise<string> {
  const organizationId = newId()
  const now = new Date()
  const { apiKey } = await database.prisma.$transaction(async (tx) => {
    await addOrganization(tx, { organizationId, name: 'Bench', now })
    return addAdmin(tx, { organizationId, now })
  })
  const answer = await fetch(`http://127.0.0.1:${service.port}/org/webhook`, {
    method: 'PUT',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  if (answer.status !== 200) throw new Error(`PUT /org/webhook answered ${answer.status}`)
  return organizationId
}

/** Queues events at once, and measures from the first arrival to the last; each event must arrive once and in order. */
async function runBacklog(
  bench: Bench,
  organizationIds: readonly string[],
  count: number,
  aim: number,
): Promise<string> {
  const { arrivals } = bench
  arrivals.length = 0
  const ids = await queue(bench, organizationIds, count)
  await until(
    () => arrivals.length >= count,
    60_000,
    () => `${arrivals.length} of ${count} events arrived`,
  )

  const perSecond = count / (((arrivals.at(-1) as Arrival).at - (arrivals[0] as Arrival).at) / 1000)
  for (const [organizationId, expected] of ids) {
    const got = arrivals.filter((each) => each.organizationId === organizationId).map(({ id }) => id)
    if (got.join() !== expected.join()) throw new Error('events arrived twice, or not in their order')
  }
  const of = organizationIds.length === 1 ? 'one organization' : `${organizationIds.length} organizations`
  return `${count} events of ${of}: ${perSecond.toFixed(0)} a second, in order (aim ${aim})`
}

/** Sends events of many subscribers of one organization to a receiver that takes this long to answer. */
async function runSlowly(
  database: Database,
  jobs: Jobs,
  service: Service,
  { answerMs, count, aim }: (typeof receivers)[number],
): Promise<string> {
  const receiver = await startReceiver(answerMs)
  try {
    const { arrivals, url } = receiver
    const organizationId = await createVendor(database, service, url)
    const bench = { database, jobs, organizationIds: [organizationId], arrivals }
    const subscriberOf = (index: number) => `s${index % subscribersOfOne}`
    const ids = (await queue(bench, [organizationId], count, subscriberOf)).get(organizationId) ?? []
    await until(
      () => arrivals.length >= count,
      120_000,
      () => `${arrivals.length} of ${count} events arrived`,
    )
    const arrived = new Map(arrivals.map(({ id }, position) => [id, position]))
    for (const [index, id] of ids.slice(subscribersOfOne).entries()) {
      const isLater = (arrived.get(id) ?? -1) > (arrived.get(ids[index] as string) ?? count)
      if (!isLater) throw new Error('events of one subscriber arrived in another order, or not at all')
    }
    const perSecond = count / (((arrivals.at(-1) as Arrival).at - (arrivals[0] as Arrival).at) / 1000)
    const positions = ids.map((id) => arrived.get(id) ?? count)
    const overtaken = positions.filter(
      (position, index) => position < Math.max(0, ...positions.slice(Math.max(0, index - 64), index)),
    )
    const of = `${count} events of ${subscribersOfOne} subscribers of one organization`
    const rate = `${perSecond.toFixed(0)} a second (aim ${aim})`
    return `${of}, for a receiver that answers after ${answerMs} ms: ${rate}; ${overtaken.length} arrived after a later one`
  } finally {
    await receiver.close()
  }
}

/** Queues events: about a plan, which are sent one after the other, or about subscribers if `subscriberOf` is given. */
async function queue(
  { database }: Bench,
  organizationIds: readonly string[],
  count: number,
  subscriberOf?: (index: number) => string,
) {
  const organizationOf = (index: number) => organizationIds[index % organizationIds.length] as string
  const events = Array.from({ length: count }, (_, index) =>
    newEvent(
      organizationOf(index),
      new Date(),
      subscriberOf
        ? { type: 'entitlements.stale', subscriberId: subscriberOf(index), cause: 'override', features: ['seats'] }
        : { type: 'plan.grants.updated', planKey: 'pro' },
    ),
  )
  await database.pool.query(
    `insert into webhook_event (organization_id, event_id, type, body, subscriber_id, occurred_at, due_at)
     select organization_id, event_id, type, body, subscriber_id, now(), now()
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
         as event (organization_id, event_id, type, body, subscriber_id)`,
    [
      events.map((_, index) => organizationOf(index)),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ body }) => body),
      events.map(({ subscriberId }) => subscriberId),
    ],
  )
  const byOrganization = Map.groupBy(events.keys(), organizationOf)
  return new Map([...byOrganization].map(([id, indexes]) => [id, indexes.map((index) => events[index]?.id as string)]))
}

/** Milliseconds from the commit of a write to the arrival of its event, at a steady rate. */
async function runTrickle(bench: Bench, count: number, perSecond: number): Promise<string> {
  const lags = await trickle(bench, count, perSecond)
  return `commit to receipt at ${perSecond} a second: ${describe(lags)}`
}

/** Like `runTrickle`, while one organization has 10,000 events for a receiver that hangs. */
async function runBesideHanging(bench: Bench, service: Service): Promise<string> {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hanging = await createVendor(bench.database, service, url)
  try {
    await queue(bench, [hanging], 10_000)
    await wait(1500)
    return `the same beside 10,000 events for a receiver that hangs: ${describe(await trickle(bench, 250, 50))}`
  } finally {
    await bench.database.pool.query(
      'update webhook_endpoint set disabled = true, disabled_at = now() where organization_id = $1',
      [hanging],
    )
    server.closeAllConnections()
    server.close()
  }
}

async function trickle({ database, jobs, organizationIds, arrivals }: Bench, count: number, perSecond: number) {
  arrivals.length = 0
  const committed = new Map<string, number>()
  const begunAt = performance.now()
  const writes: Promise<void>[] = []
  for (let i = 0; i < count; i++) {
    await wait(Math.max(0, begunAt + (i * 1000) / perSecond - performance.now()))
    const organizationId = organizationIds[i % organizationIds.length] as string
    const event = newEvent(organizationId, new Date(), { type: 'plan.grants.updated', planKey: 'pro' })
    const write = database.prisma.$transaction(async (tx) => {
      await queueEvents(tx, organizationId, [event])
    })
    const told = write.then(() => {
      committed.set(event.id, performance.now())
      jobs.wake(organizationId)
    })
    writes.push(told)
  }
  await Promise.all(writes)
  await until(
    () => arrivals.length >= count,
    20_000,
    () => `${arrivals.length} of ${count} events arrived`,
  )
  return arrivals.map(({ id, at }) => at - (committed.get(id) as number))
}

const expiring = 10_000

/** Milliseconds from `expires_at` to the arrival of the event, for many overrides that end within one second. */
async function runExpiry(
  { database, arrivals }: Bench,
  service: Service,
  organizationIds: readonly string[],
): Promise<string> {
  const { pool } = database
  arrivals.length = 0
  const each = expiring / organizationIds.length
  await pool.query(
    `insert into feature (organization_id, feature_key, name, kind, created_at, updated_at)
     select id, 'seats', 'seats', 'limit', now(), now() from unnest($1::text[]) as id`,
    [organizationIds],
  )
  await pool.query(
    `insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
     select id, 's' || number, now(), now() from unnest($1::text[]) as id, generate_series(1, $2::int) as number`,
    [organizationIds, each],
  )
  const firstAt = Math.ceil(Date.now() / 1000) * 1000 + 4000
  const at = `to_timestamp(${firstAt} / 1000.0) + number * interval '1 second' / ${each}`
  await pool.query(
    `insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", expires_at, created_at,
                           updated_at)
     select id, 's' || number, 'seats', 's' || number, 'limit', 1, ${at}, now(), now()
       from unnest($1::text[]) as id, generate_series(1, $2::int) as number`,
    [organizationIds, each],
  )
  // Adds one job for each override, as each put would.
  await pool.query(
    `insert into pgboss.job (name, data, start_after, policy, retry_limit, retry_delay, expire_seconds, deletion_seconds)
     select 'override.expire', json_build_object('organizationId', id), ${at}, 'standard', 10, 1, 30, 60
       from unnest($1::text[]) as id, generate_series(1, $2::int) as number`,
    [organizationIds, each],
  )
  await wait(Math.max(0, firstAt - Date.now()))
  const before = await cpuOf(service, pool)
  await until(
    () => arrivals.length >= expiring,
    90_000,
    () => `${arrivals.length} of ${expiring} expiries arrived`,
  )
  const after = await cpuOf(service, pool)
  const microsOf = (process: 'node' | 'postgres') => Math.round(((after[process] - before[process]) * 1000) / expiring)
  const lastAt = firstAt + 1000 - performance.timeOrigin
  const lags = arrivals.map(({ at }) => Math.max(0, at - lastAt))
  const of = organizationIds.length === 1 ? 'one organization' : `${organizationIds.length} organizations`
  return [
    `${expiring} overrides of ${of} that end in one second, from the last end to receipt: ${describe(lags)};`,
    `processor µs of each: service ${microsOf('node')}, PostgreSQL ${microsOf('postgres')}`,
  ].join(' ')
}

function describe(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`
}

async function until(isDone: () => boolean, timeoutMs: number, state: () => string): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!isDone()) {
    if (performance.now() > end) throw new Error(`void: ${state()} in time`)
    await wait(10)
  }
}
