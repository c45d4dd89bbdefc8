import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { connectDatabase } from '../../../src/database/client.ts'
import { startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { migrate } from '../../../src/database/migrate.ts'
import type { PrismaClient } from '../../../src/database/prisma.ts'
import { readExplanation } from '../../../src/modules/entitlements/read-explanation.ts'
import { readPlanHistory } from '../../../src/modules/history/read-field-history.ts'
import { readSubscriberHistory } from '../../../src/modules/history/read-subscriber-history.ts'
import type { Read } from '../../../src/operation/operation.ts'
import { withoutIndexes } from './without-indexes.ts'

const organizationId = '01BENCH0000000000000000000'
const features = 40
/** A year of changes: the entries of a plan, of a subscriber with very many, of one with many, and of all others. */
const entries = { plan: 100_000, busy: 20_000, acme: 1_000, others: 879_000 }
const days = 365

/** A page of a history that takes longer is too slow. */
const maxMs = 50

/**
 * Measures pages of histories and explanations of past moments, as the service runs them, with a million entries in the log of
 * one organization. Calls `isSlow` for a first page that takes too long.
 */
export async function* measureHistory(isSlow: () => void): AsyncGenerator<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'entitlements-history-'))
  const settings = { fsync: 'off', full_page_writes: 'off', max_wal_size: '4GB' }
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log: console.error, settings })
  try {
    await migrate({ url })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await seed(client)
    await client.end()
    const database = connectDatabase({ url, maxConnections: 1 })
    yield '| Read | first ms | again ms |\n|---|--:|--:|'
    for (const [name, read, isFirstPage] of await readsOf(database.prisma)) {
      const first = await timed(read)
      const again: number[] = []
      for (let n = 0; n < 7; n++) again.push(await timed(read))
      const median = again.toSorted((a, b) => a - b)[3] as number
      if (isFirstPage && median > maxMs) isSlow()
      yield `| ${name} | ${first.toFixed(1)} | ${median.toFixed(1)} |`
    }
    await database.close()
  } finally {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function timed(read: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await read()
  return performance.now() - startedAt
}

// biome-ignore lint/suspicious/noExplicitAny: a read of any route and input.
type AnyRead = Read<string, any, any>

async function readsOf(
  db: PrismaClient,
): Promise<[name: string, read: () => Promise<unknown>, isFirstPage: boolean][]> {
  const now = new Date()
  const run = (operation: AnyRead, path: object, input: object = {}) =>
    operation.run({ db, organizationId, now, role: 'admin', path, input: operation.input.parse(input) } as never)
  const history = (subscriber_id: string, input: object = {}) => run(readSubscriberHistory, { subscriber_id }, input)
  const ago = (n: number) => ({ at: new Date(now.getTime() - n * 86_400_000).toISOString() })
  const explain = (subscriber_id: string, n: number) => run(readExplanation, { subscriber_id }, ago(n))
  const plan = (input: object = {}) => run(readPlanHistory, { key: 'plan-0' }, input)

  /** The id of the last item after so many pages. */
  const cursorAfter = async (pages: number, read: (input: object) => Promise<{ items: { id: string }[] }>) => {
    let page = await read({ limit: 100 })
    for (let n = 1; n < pages; n += 1) page = await read({ limit: 100, starting_after: page.items.at(-1)?.id })
    return { starting_after: page.items.at(-1)?.id }
  }
  const [deep, middle] = [await cursorAfter(50, (input) => history('acme', input)), await cursorAfter(50, plan)]
  return [
    ['a page of a subscriber with 9 changes, on a quiet plan', () => history('customer-5'), true],
    ['a page of one with 1,000 changes, on a plan with 100,000', () => history('acme'), true],
    ['the same, of one feature', () => history('acme', { feature: 'feature-3' }), true],
    ['the same, 5,000 items later', () => history('acme', deep), false],
    ['a page of one with 20,000 changes', () => history('busy'), true],
    ['a page of the plan with 100,000 changes', () => plan(), true],
    ['the same, 5,000 items later', () => plan(middle), true],
    ['explanation: yesterday, on a quiet plan', () => explain('customer-5', 1), false],
    ['explanation: a day ago, on the plan with 100,000', () => explain('acme', 1), false],
    ['the same, 30 days ago', () => explain('acme', 30), false],
    ['the same, 360 days ago', () => explain('acme', 360), false],
  ]
}

/** A ULID in SQL, from a time in milliseconds and a number. */
function idOf(ms: string, number: string): string {
  const letters = Array.from({ length: 10 }, (_, place) => {
    return `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (${ms} >> ${5 * (9 - place)} & 31)::int + 1, 1)`
  })
  return `${letters.join(' || ')} || lpad((${number})::text, 16, '0')`
}

async function seed(client: pg.Client): Promise<void> {
  const run = (sql: string) => client.query(sql.replaceAll('$org', `'${organizationId}'`))
  const since = `now() - interval '${days} days'`
  await run(
    `insert into organization (organization_id, name, created_at, updated_at) values ($org, 'Bench', now(), now())`,
  )
  await run(`insert into feature (organization_id, feature_key, name, kind, created_at, updated_at)
    select $org, 'feature-' || n, 'Feature ' || n, 'limit', ${since}, now() from generate_series(0, ${features - 1}) n`)
  await run(`insert into plan (organization_id, plan_key, name, created_at, updated_at)
    select $org, 'plan-' || n, 'Plan ' || n, ${since}, now() from generate_series(0, 1) n`)
  await run(`insert into plan_grant (organization_id, plan_key, feature_key, kind, "limit")
    select $org, 'plan-' || p, 'feature-' || f, 'limit', ${entries.plan} + p from generate_series(0, 1) p, generate_series(0, ${features - 1}) f`)
  await run(`insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
    select $org, id, ${since}, now() from (select 'acme' as id union select 'busy' union select 'customer-' || n from generate_series(0, 99999) n) ids`)
  await run(`insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, created_at)
    select $org, ${idOf('1700000000000', 'row_number() over ()')}, subscriber_id, case when subscriber_id like 'customer-%' then 'plan-1' else 'plan-0' end, ${since}
      from subscriber where organization_id = $org`)
  await run(`insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", created_at, updated_at)
    select $org, id, 'feature-' || f, id || f, 'limit', f, ${since}, now() from (values ('acme'), ('busy')) ids (id), generate_series(0, 6) f`)
  await withoutIndexes(client, 'audit_event', async () => {
    await insert(run, entries.plan, {
      route: '/org/plans/{key}',
      method: 'PATCH',
      params: `jsonb_build_object('key', 'plan-0')`,
      details: `'{"grants":{"feature-' || n % ${features} || '":{"from":{"kind":"limit","limit":' || n || '},"to":{"kind":"limit","limit":' || n + ${features} || '}}}}'`,
    })
    const override = { route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}', method: 'PUT' }
    const changed = `'{"limit":{"from":' || n || ',"to":' || n + 7 || '}}'`
    const params = (id: string) => `jsonb_build_object('subscriber_id', ${id}, 'feature_key', 'feature-' || n % 7)`
    await insert(run, entries.acme, { ...override, params: params(`'acme'`), details: changed })
    await insert(run, entries.busy, { ...override, params: params(`'busy'`), details: changed })
    await insert(run, entries.others, { ...override, params: params(`'customer-' || n % 100000`), details: changed })
  })
  await run('vacuum analyze')
}

type Seeded = { route: string; method: string; params: string; details: string }

async function insert(
  run: (sql: string) => Promise<unknown>,
  count: number,
  { route, method, params, details }: Seeded,
): Promise<void> {
  const at = `((extract(epoch from now()) * 1000)::bigint - ${days}::bigint * 86400000 + n * (${days}::bigint * 86400000) / ${count})`
  await run(`insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service,
      method, route, params, ip, outcome, status, details, changed_at)
    select $org, ${idOf('at', `n + ${count}::bigint * 1000000`)}, to_timestamp(at / 1000.0), 'req_' || n, '01MEMBER000000000000000000', 'member_apikey', 'api',
           '${method}', '${route}', ${params}, '203.0.113.7', 'responded', 200, ${details}, to_timestamp((at + 5) / 1000.0)
      from (select n, ${at} as at from generate_series(0, ${count - 1}) n) moments`)
}
