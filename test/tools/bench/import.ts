import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { ulid } from 'ulidx'
import { newApiKey } from '../../../src/access/api-key.ts'
import { sendImport } from '../../../src/cli/send-import.ts'
import { residentMegabytes, type Service, startBareServer } from './processes.ts'
import { toColumnTable } from './table.ts'

type Tenant = { id: string; key: string }

const batch = 500
const aloneMs = 4_000

/**
 * Imports this many new subscribers with a plan and one override each, with a webhook; then four times as many, to see
 * whether memory grows; then for two organizations at once. Compares them with bare inserts of the same rows on the same
 * database, and measures another organization's checks and writes during the imports. Yields lines to print.
 */
export async function* runImport(service: Service, lines: number): AsyncGenerator<string> {
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 })
  const receiver = await startBareServer('')
  try {
    const tenants = await Promise.all([1, 2, 3, 4].map(() => createTenant(pool, service)))
    const [one, other, floor, neighbour] = tenants as [Tenant, Tenant, Tenant, Tenant]
    for (const each of [one, other])
      await send(service, each, 'PUT', '/org/webhook', { url: `http://127.0.0.1:${receiver.port}` })
    const bare = await measureFloor(pool, floor.id, lines)
    yield `bare inserts of ${lines} lines: ${bare.toFixed(0)} a second`
    const endsAt = performance.now() + aloneMs
    const alone = await measureNeighbour(service, neighbour, () => performance.now() >= endsAt)
    const rows: string[][] = [['bare inserts', String(lines), bare.toFixed(0), '1.00', '', ...toCells(alone)]]
    for (const [name, importing, size] of [
      ['import', [one], lines],
      ['import', [one], lines * 4],
      ['two imports', [one, other], lines],
    ] as const) {
      const { perSecond, peakMb, felt } = await measureImports(service, {
        importing,
        neighbour,
        size,
        run: rows.length,
      })
      const figures = [perSecond.toFixed(0), (perSecond / bare).toFixed(2), peakMb.toFixed(0)]
      rows.push([name, String(size * importing.length), ...figures, ...toCells(felt)])
      yield `${name} of ${size} lines: ${perSecond.toFixed(0)} a second`
    }
    const columns = ['', 'lines', 'lines/s', 'ratio', 'peak MB', 'check p50 ms', 'p99 ms', 'write p50 ms', 'p99 ms']
    yield toColumnTable(columns, rows)
    yield 'Checks and writes are those of another organization, one after the other; in the first row, with nothing beside them.'
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
  await send(service, tenant, 'POST', '/org/features', { key: 'seats', name: 'Seats', kind: 'limit' })
  await send(service, tenant, 'POST', '/org/plans', {
    key: 'pro',
    name: 'Pro',
    grants: { seats: { kind: 'limit', limit: 5 } },
  })
  await send(service, tenant, 'POST', '/org/subscribers', { subscriber_id: 'acme' })
  return tenant
}

async function send({ port }: Service, { key }: Tenant, method: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** Lines a second if the same rows are only inserted. */
async function measureFloor(pool: pg.Pool, organizationId: string, floorLines: number): Promise<number> {
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

type Imports = { importing: readonly Tenant[]; neighbour: Tenant; size: number; run: number }

/** `perSecond` is the total of all imports. */
async function measureImports(service: Service, { importing, neighbour, size, run }: Imports) {
  let isOver = false
  let peakMb = 0
  const timer = setInterval(async () => {
    peakMb = Math.max(peakMb, await residentMegabytes(service.pid).catch(() => 0))
  }, 100)
  const feeling = measureNeighbour(service, neighbour, () => isOver)
  const startedAt = performance.now()
  try {
    await Promise.all(importing.map((tenant) => importNew(service, tenant, { size, run })))
  } finally {
    isOver = true
    clearInterval(timer)
  }
  const perSecond = ((size * importing.length) / (performance.now() - startedAt)) * 1000
  return { perSecond, peakMb, felt: await feeling }
}

async function importNew({ port }: Service, { key }: Tenant, { size, run }: Pick<Imports, 'size' | 'run'>) {
  const url = new URL(`http://127.0.0.1:${port}/org/subscribers/import`)
  const lines = Readable.from(linesOf(size, run))
  const { created, errors } = await sendImport({ url, key, lines, onProgress: () => {} })
  if (created !== size) throw new Error(`of ${size} lines ${created} were created: ${JSON.stringify(errors[0])}`)
}

function* linesOf(size: number, run: number): Generator<string> {
  for (let from = 0; from < size; from += batch) {
    const lines = Array.from({ length: Math.min(batch, size - from) }, (_, index) => ({
      subscriber_id: `customer-${run}-${from + index}`,
      name: `Customer ${from + index}`,
      plan_id: 'pro',
      overrides: { seats: { kind: 'limit', limit: 9 } },
    }))
    yield `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  }
}

type Latencies = { checks: number[]; writes: number[] }

/** The times of an organization's checks and writes, one after the other, until the imports are over. */
async function measureNeighbour(service: Service, tenant: Tenant, isOver: () => boolean): Promise<Latencies> {
  const subscriber = '/org/subscribers/acme'
  let limit = 0
  const check = () => send(service, tenant, 'POST', `${subscriber}/entitlements/check`, { feature: 'seats' })
  const write = () => send(service, tenant, 'PUT', `${subscriber}/overrides/seats`, { kind: 'limit', limit: limit++ })
  const [checks, writes] = await Promise.all([timesOf(check, isOver), timesOf(write, isOver)])
  return { checks, writes }
}

async function timesOf(ask: () => Promise<void>, isOver: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver()) {
    const startedAt = performance.now()
    await ask()
    times.push(performance.now() - startedAt)
    await wait(10)
  }
  return times.sort((one, other) => one - other)
}

function toCells({ checks, writes }: Latencies): string[] {
  const at = (times: number[], share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  return [at(checks, 0.5), at(checks, 0.99), at(writes, 0.5), at(writes, 0.99)]
}
