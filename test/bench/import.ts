import { Readable } from 'node:stream'
import pg from 'pg'
import { ulid } from 'ulidx'
import { newApiKey } from '../../src/access/api-key.ts'
import { sendImport } from '../../src/cli/send-import.ts'
import { residentMegabytes, type Service, startBareServer } from './processes.ts'
import { toColumnTable } from './table.ts'

type Tenant = { id: string; key: string }

/** Lines of the first run, and of the one that shows whether memory grows with them. */
const sizes = [10_000, 100_000]
const floorLines = 20_000
const batch = 500

/**
 * Imports of new subscribers with a plan and one override, webhook on, next to the same rows in bare inserts of the same size on
 * the same database; and what checks of another organization take meanwhile. Yields lines to print.
 */
export async function* runImport(service: Service): AsyncGenerator<string> {
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 })
  const receiver = await startBareServer('')
  try {
    const [importing, floor, neighbour] = await Promise.all([1, 2, 3].map(() => createTenant(pool, service)))
    await putWebhook(service, importing as Tenant, `http://127.0.0.1:${receiver.port}`)
    const bare = await measureFloor(pool, (floor as Tenant).id)
    const alone = await measureChecks(service, neighbour as Tenant, untilMs(5_000))
    const rows: string[][] = [['floor: bare inserts', String(floorLines), bare.toFixed(0), '1.00', '', '', '']]
    for (const size of sizes) {
      const { perSecond, peakMb, checks } = await measureImport(service, importing as Tenant, neighbour as Tenant, size)
      const figures = [perSecond.toFixed(0), (perSecond / bare).toFixed(2), peakMb.toFixed(0)]
      rows.push(['import', String(size), ...figures, checks.p50.toFixed(1), checks.p99.toFixed(1)])
      yield `${size} lines: ${perSecond.toFixed(0)} a second`
    }
    yield toColumnTable(['', 'lines', 'lines/s', 'ratio', 'peak MB', 'check p50 ms', 'check p99 ms'], rows)
    yield `checks of another organization before: p50 ${alone.p50.toFixed(1)} ms, p99 ${alone.p99.toFixed(1)} ms`
  } finally {
    await receiver.stop()
    await pool.end()
  }
}

async function createTenant(pool: pg.Pool, service: Service): Promise<Tenant> {
  const [id, { key, hash, prefix }] = [ulid(), newApiKey()]
  await pool.query(`insert into organization values ($1, 'Bench', gen_random_uuid(), now(), now())`, [id])
  await pool.query(`insert into eval_counter (organization_id, rate_limit, allotment) values ($1, 2000000000, -1)`, [
    id,
  ])
  await pool.query(
    `insert into member (organization_id, member_id, service_account_id, display_name, role, created_at, updated_at)
     values ($1, $1, $1, 'bench', 'admin', now(), now())`,
    [id],
  )
  await pool.query(`insert into service_account values ($1, $1, $1, 'bench', now(), now())`, [id])
  await pool.query(
    `insert into api_key (organization_id, key_id, service_account_id, member_id, key_hash, key_prefix, name, created_at)
     values ($1, $1, $1, $1, $2, $3, 'bench', now())`,
    [id, hash, prefix],
  )
  const tenant = { id, key }
  await post(service, tenant, '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
  await post(service, tenant, '/org/plans', { key: 'pro', name: 'Pro', grants: { seats: { kind: 'limit', limit: 5 } } })
  await post(service, tenant, '/org/subscribers', { subscriber_id: 'acme' })
  return tenant
}

async function post({ port }: Service, { key }: Tenant, path: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

async function putWebhook({ port }: Service, { key }: Tenant, url: string): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ url })
  const { status } = await fetch(`http://127.0.0.1:${port}/org/webhook`, { method: 'PUT', headers, body })
  if (status !== 200) throw new Error(`PUT /org/webhook answered ${status}`)
}

/** Lines a second of the same rows, without anything that decides about them. */
async function measureFloor(pool: pg.Pool, organizationId: string): Promise<number> {
  const startedAt = performance.now()
  for (let from = 0; from < floorLines; from += batch) {
    const client = await pool.connect()
    const ids = Array.from({ length: batch }, (_, index) => `floor-${from + index}`)
    const made = () => ids.map(() => ulid())
    await client.query('begin')
    await client.query(
      `insert into subscriber (organization_id, subscriber_id, name, created_at, updated_at)
       select $1, id, id, now(), now() from unnest($2::text[]) id`,
      [organizationId, ids],
    )
    await client.query(
      `insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, status, created_at, created_by)
       select $1, made, id, 'pro', 'active', now(), $1 from unnest($2::text[], $3::text[]) as line (id, made)`,
      [organizationId, ids, made()],
    )
    await client.query(
      `insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", set_by, created_at, updated_at)
       select $1, id, 'seats', made, 'limit', 9, $1, now(), now() from unnest($2::text[], $3::text[]) as line (id, made)`,
      [organizationId, ids, made()],
    )
    await client.query(
      `insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service, method,
                                route, params, ip, outcome, status, created_id, details)
       select $1, made, now(), 'req_floor', $1, 'member_apikey', 'api', 'POST', '/org/subscribers/import',
              json_build_object('subscriber_id', id), '127.0.0.1', 'responded', 200, id, $4
         from unnest($2::text[], $3::text[]) as line (id, made)`,
      [organizationId, ids, made(), '{"plan_id":{"from":null,"to":"pro"}}'],
    )
    for (const cause of ['subscription', 'override']) {
      await client.query(
        `insert into webhook_event (organization_id, event_id, type, body, occurred_at, subscriber_id, due_at)
         select $1, made, 'entitlements.stale', $4, now(), id, now() from unnest($2::text[], $3::text[]) as line (id, made)`,
        [organizationId, ids, made(), JSON.stringify({ type: 'entitlements.stale', cause })],
      )
    }
    await client.query('commit')
    client.release()
  }
  return (floorLines / (performance.now() - startedAt)) * 1000
}

async function measureImport(service: Service, tenant: Tenant, neighbour: Tenant, size: number) {
  let isOver = false
  let peakMb = 0
  const timer = setInterval(async () => {
    peakMb = Math.max(peakMb, await residentMegabytes(service.pid).catch(() => 0))
  }, 100)
  const checking = measureChecks(service, neighbour, () => isOver)
  const startedAt = performance.now()
  const result = await sendImport({
    url: new URL(`http://127.0.0.1:${service.port}/org/subscribers/import`),
    key: tenant.key,
    lines: Readable.from(linesOf(size)),
    onProgress: () => {},
  })
  const perSecond = (size / (performance.now() - startedAt)) * 1000
  isOver = true
  clearInterval(timer)
  if (result.created !== size)
    throw new Error(`of ${size} lines ${result.created} were created: ${JSON.stringify(result.errors[0])}`)
  return { perSecond, peakMb, checks: await checking }
}

function* linesOf(size: number): Generator<string> {
  for (let from = 0; from < size; from += batch) {
    const lines = Array.from({ length: Math.min(batch, size - from) }, (_, index) => ({
      subscriber_id: `customer-${size}-${from + index}`,
      name: `Customer ${from + index}`,
      plan_id: 'pro',
      overrides: { seats: { kind: 'limit', limit: 9 } },
    }))
    yield `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  }
}

function untilMs(durationMs: number): () => boolean {
  const endsAt = performance.now() + durationMs
  return () => performance.now() >= endsAt
}

/** One after the other, until it is over. */
async function measureChecks(service: Service, tenant: Tenant, isOver: () => boolean) {
  const latencies: number[] = []
  while (!isOver()) {
    const startedAt = performance.now()
    await post(service, tenant, '/org/subscribers/acme/entitlements/check', { feature: 'seats' })
    latencies.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  latencies.sort((one, other) => one - other)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
