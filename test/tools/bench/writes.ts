import pg from 'pg'
import { ulid } from 'ulidx'
import { nextCreateSubscriber, nextCreateSubscription, nextPut } from './exchanges.ts'
import { median } from './growth/line.ts'
import { type Exchange, runLoad } from './http-load.ts'
import { featureOf, size, subscriberId } from './model.ts'
import { cpuMilliseconds, type Service, startBareServer } from './processes.ts'
import { toColumnTable } from './table.ts'

type Options = { service: Service; keys: readonly string[]; connections: number; durationMs: number }

/** Writes are fast enough at these ratios to the minimum cost: for rates under load, and for the times of single writes. */
const aims = { ratio: 0.2, aloneRatio: 4.2 }
const floorConnections = 20
const turns = 3
const warmUpMs = 1000

/**
 * Compares the writes of a nightly sync, with webhooks, with the cost of two commits on this database in the same run. All are
 * warmed up and run alternately, so that other work of the machine slows each of them. Yields lines to print.
 */
export async function* runWrites({ service, keys, connections, durationMs }: Options): AsyncGenerator<string> {
  const receiver = await startBareServer('')
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: floorConnections })
  try {
    for (const key of keys) await putWebhook(service, key, `http://127.0.0.1:${receiver.port}`)
    const created: CreatedSubscribers = []
    const write = (next: () => Exchange) => (loadedMs: number, aloneMs: number) =>
      measureWrite(service, next, { connections, loadedMs, aloneMs })
    const floor = { name: 'floor: two commits', measure: await floorOf(pool) }
    const writes = [
      { name: 'put override', measure: write(() => nextPut(keys)) },
      { name: 'put override, with a key', measure: write(() => withKey(nextPut(keys))) },
      { name: 'create subscriber', measure: write(() => nextCreateSubscriber(keys, created)) },
      { name: 'create subscription', measure: write(() => nextCreateSubscription(keys, created)) },
    ]
    for (const { measure } of [floor, ...writes]) await measure(warmUpMs, warmUpMs)
    await untilDelivered(pool)

    const measured = new Map([floor, ...writes].map(({ name }) => [name, [] as Figures[]]))
    for (let turn = 0; turn < turns; turn++) {
      for (const { name, measure } of [floor, ...writes]) {
        measured.get(name)?.push(await measure(durationMs / 2, durationMs / 4))
        await untilDelivered(pool)
      }
    }
    yield toTable(measured, floor.name)
    yield `aims: a ratio of ${aims.ratio} to the floor, alone ${aims.aloneRatio} times its time`
    yield await countOutcomes(pool)
  } finally {
    await pool.end()
    await receiver.stop()
  }
}

/** `cpuMs`: processor time of the service for each write under load. */
type Figures = { perSecond: number; p50Ms: number; p99Ms: number; aloneMs: number; cpuMs: number }

/** Shows each figure and each ratio as the median of the rounds. */
function toTable(measured: ReadonlyMap<string, Figures[]>, floorName: string): string {
  const floor = measured.get(floorName) ?? []
  const rows = [...measured].map(([name, of]) => {
    const middle = (figure: (figures: Figures, turn: number) => number) => median(of.map(figure))
    return [
      name,
      middle(({ perSecond }) => perSecond).toFixed(0),
      middle(({ p50Ms }) => p50Ms).toFixed(1),
      middle(({ p99Ms }) => p99Ms).toFixed(1),
      middle(({ aloneMs }) => aloneMs).toFixed(2),
      middle(({ cpuMs }) => cpuMs).toFixed(2),
      middle(({ perSecond }, turn) => perSecond / (floor[turn] as Figures).perSecond).toFixed(2),
      middle(({ aloneMs }, turn) => aloneMs / (floor[turn] as Figures).aloneMs).toFixed(1),
    ]
  })
  return toColumnTable(['', 'a second', 'p50 ms', 'p99 ms', 'p50 alone ms', 'CPU ms', 'ratio', 'alone'], rows)
}

/** Adds an `Idempotency-Key` that no other request has. */
function withKey({ request, faultOf }: Exchange): Exchange {
  return { request: request.replace('\r\n', `\r\nidempotency-key: ${ulid()}\r\n`), faultOf }
}

/** Waits for all deliveries: otherwise they would run during the next measurement. */
async function untilDelivered(pool: pg.Pool): Promise<void> {
  const deadline = performance.now() + 60_000
  while (performance.now() < deadline) {
    const { rowCount } = await pool.query(`select from webhook_event where state = 'queued' limit 1`)
    if (rowCount === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The worker did not deliver within a minute what was queued.')
}

/** The share of outcomes that touched no index of the log. */
async function countOutcomes(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(
    `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'audit_event'`,
  )
  const [{ all, hot }] = rows
  return `${((hot / all) * 100).toFixed(0)} % of ${all} outcomes touched no index of the audit log`
}

/** Subscribers that were created and have no subscription yet. */
type CreatedSubscribers = { organization: number; subscriberId: string }[]

export async function putWebhook(service: { port: number }, key: string, url: string): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${service.port}/org/webhook`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  if (status !== 200) throw new Error(`PUT /org/webhook answered ${status}`)
}

async function measureWrite(
  { port, pid }: Service,
  next: () => Exchange,
  { connections, loadedMs, aloneMs }: { connections: number; loadedMs: number; aloneMs: number },
): Promise<Figures> {
  const before = await cpuMilliseconds(pid)
  const { perSecond, p50Ms, p99Ms, requests } = await runLoad({ port, connections, durationMs: loadedMs, next })
  const cpuMs = ((await cpuMilliseconds(pid)) - before) / requests
  const alone = await runLoad({ port, connections: 1, durationMs: aloneMs, next })
  return { perSecond, p50Ms, p99Ms, aloneMs: alone.p50Ms, cpuMs }
}

/** The minimum cost of a recorded write: an entry and its commit, then a write with its outcome and their commit. */
async function floorOf(pool: pg.Pool) {
  const ids = await organizationsOfFloor(pool)
  return async (loadedMs: number, aloneMs: number): Promise<Figures> => {
    const loaded = await loopFloor(pool, ids, floorConnections, loadedMs)
    const { p50Ms } = await loopFloor(pool, ids, 1, aloneMs)
    return { ...loaded, aloneMs: p50Ms, cpuMs: 0 }
  }
}

export async function organizationsOfFloor(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select organization_id as id from feature group by 1')
  return rows.map(({ id }) => id)
}

/** Repeats two commits, one after the other, on each connection. */
export async function loopFloor(pool: pg.Pool, ids: readonly string[], connections: number, durationMs: number) {
  const startedAt = performance.now()
  const latencies: number[] = []
  const loop = async () => {
    const client = await pool.connect()
    for (let at = startedAt; at < startedAt + durationMs; ) {
      await writeTwice(client, ids[Math.floor(Math.random() * ids.length)] as string)
      const endedAt = performance.now()
      latencies.push(endedAt - at)
      at = endedAt
    }
    client.release()
  }
  await Promise.all(Array.from({ length: connections }, loop))
  const perSecond = (latencies.length / (performance.now() - startedAt)) * 1000
  latencies.sort((a, b) => a - b)
  const [p50Ms, p99Ms] = [0.5, 0.99].map((share) => latencies[Math.floor(latencies.length * share)] as number)
  return { requests: latencies.length, perSecond, p50Ms: p50Ms as number, p99Ms: p99Ms as number }
}

async function writeTwice(client: pg.PoolClient, organizationId: string): Promise<void> {
  const id = ulid()
  await client.query({
    name: 'floor-record',
    text: `insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type,
                                    service, method, route, params, ip, outcome)
           values ($1, $2, now(), $2, $1, 'member_apikey', 'api', 'PUT', '/floor', '{}', '127.0.0.1', 'pending')`,
    values: [organizationId, id],
  })
  await client.query({
    name: 'floor-write',
    text: `with told as (
             update audit_event set outcome = 'responded', status = 200
              where organization_id = $1 and audit_event_id = $2)
           insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", created_at, updated_at)
           values ($1, $3, $4, $2, 'limit', 5, now(), now())
               on conflict (organization_id, subscriber_id, feature_key) do update set "limit" = 6, updated_at = now()`,
    values: [organizationId, id, subscriberId(Math.floor(Math.random() * size.subscribers)), featureOf(1).key],
  })
}
