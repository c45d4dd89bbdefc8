import pg from 'pg'
import { ulid } from 'ulidx'
import { nextCreateSubscriber, nextCreateSubscription, nextPut } from './exchanges.ts'
import { type Exchange, type LoadResult, runLoad } from './http-load.ts'
import { featureOf, size, subscriberId } from './model.ts'
import { cpuMilliseconds, type Service, startBareServer } from './processes.ts'
import { toColumnTable } from './table.ts'

type Options = { service: Service; keys: readonly string[]; connections: number; durationMs: number }

/** The ratio to the floor at which a write counts as fast, and the time alone. */
const aims = { ratio: 0.2, aloneMs: 2.5 }
const floorConnections = 20

/**
 * The writes of a nightly sync, webhooks on, beside what two commits cost on this database in the same run. Yields lines to
 * print.
 */
export async function* runWrites({ service, keys, connections, durationMs }: Options): AsyncGenerator<string> {
  const receiver = await startBareServer('')
  try {
    for (const key of keys) await putWebhook(service, key, `http://127.0.0.1:${receiver.port}`)
    const created: Created = []
    const writes = [
      { name: 'put override', next: () => nextPut(keys) },
      { name: 'create subscriber', next: () => nextCreateSubscriber(keys, created) },
      { name: 'create subscription', next: () => nextCreateSubscription(keys, created) },
    ]
    const floor = await measureFloor(service.databaseUrl, durationMs)
    const rows = [['floor: two commits', floor.perSecond.toFixed(0), '', '', floor.aloneMs.toFixed(2), '', '1.00']]
    for (const { name, next } of writes) {
      const { loaded, alone, cpuMs } = await measureWrite(service, next, { connections, durationMs })
      const { perSecond, p50Ms, p99Ms } = loaded
      const figures = [perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), alone.p50Ms.toFixed(2)]
      rows.push([name, ...figures, cpuMs.toFixed(2), (perSecond / floor.perSecond).toFixed(2)])
    }
    const columns = ['', 'a second', 'p50 ms', 'p99 ms', 'p50 alone ms', 'CPU ms', 'ratio']
    yield toColumnTable(columns, rows)
    yield `aims: a ratio of ${aims.ratio} to the floor, ${aims.aloneMs} ms alone`
  } finally {
    await receiver.stop()
  }
}

/** Subscribers that were created and have no subscription yet. */
type Created = { organization: number; subscriberId: string }[]

export async function putWebhook(service: { port: number }, key: string, url: string): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${service.port}/org/webhook`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  if (status !== 200) throw new Error(`PUT /org/webhook answered ${status}`)
}

type Measured = { loaded: LoadResult; alone: LoadResult; cpuMs: number }

/** With many connections, then alone. `cpuMs`: of the service's process, for each write under load. */
async function measureWrite(
  { port, pid }: Service,
  next: () => Exchange,
  { connections, durationMs }: Pick<Options, 'connections' | 'durationMs'>,
): Promise<Measured> {
  await runLoad({ port, connections, durationMs: durationMs / 4, next })
  const before = await cpuMilliseconds(pid)
  const loaded = await runLoad({ port, connections, durationMs, next })
  const cpuMs = ((await cpuMilliseconds(pid)) - before) / loaded.requests
  return { loaded, cpuMs, alone: await runLoad({ port, connections: 1, durationMs: durationMs / 4, next }) }
}

/** What a recorded write costs at least: an entry and its commit, then a write with its outcome and their commit. */
async function measureFloor(connectionString: string, durationMs: number) {
  const pool = new pg.Pool({ connectionString, max: floorConnections })
  try {
    const { rows } = await pool.query<{ id: string }>('select organization_id as id from feature group by 1')
    const ids = rows.map(({ id }) => id)
    await loopFloor(pool, ids, floorConnections, durationMs / 4)
    const loaded = await loopFloor(pool, ids, floorConnections, durationMs)
    const alone = await loopFloor(pool, ids, 1, durationMs / 4)
    return { perSecond: loaded.perSecond, aloneMs: alone.p50Ms }
  } finally {
    await pool.end()
  }
}

async function loopFloor(pool: pg.Pool, ids: readonly string[], connections: number, durationMs: number) {
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
  return { perSecond, p50Ms: latencies.sort((a, b) => a - b)[latencies.length >> 1] as number }
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
