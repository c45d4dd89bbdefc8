import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { connectDatabase, type Database } from '../../../src/database/client.ts'
import { startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { slicedReader } from '../../../src/database/read-in-slices.ts'
import { readExplanation } from '../../../src/modules/entitlements/read-explanation.ts'
import { readPlanHistory } from '../../../src/modules/history/read-field-history.ts'
import { readSubscriberHistory } from '../../../src/modules/history/read-subscriber-history.ts'
import type { Read } from '../../../src/operation/operation.ts'
import { withoutIndexes } from './without-indexes.ts'

const benchOrganizationId = '01BENCH0000000000000000000'
const features = 40
/** A year of changes: of a plan, of a subscriber with very many, of one with many, and of all others. */
const changes = { plan: 100_000, busy: 20_000, acme: 1_000, others: 879_000 }
const days = 365
/** Another organization, whose plan grants very many features, all of which changed repeatedly. */
const large = { organizationId: '01BENCH0000000000000000001', features: 2_000, updates: 120 }

/** The limits above which a page or an explanation is too slow, or blocks the event loop for too long. */
const [maxMs, maxLoopMs] = [50, 10]

/**
 * Measures pages of histories and explanations of past moments, as the service runs them, with a million versions in one
 * organization. Calls `isSlow` for a read that takes too long.
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
    yield '| Read | first ms | again ms | event loop ms |\n|---|--:|--:|--:|'
    for (const [name, read] of await readsOf(database)) {
      const first = await timeRead(read)
      const again: { ms: number; loopMs: number }[] = []
      for (let n = 0; n < 7; n++) again.push(await timeRead(read))
      const median = (of: 'ms' | 'loopMs') => again.map((each) => each[of]).toSorted((a, b) => a - b)[3] as number
      if (median('ms') > maxMs || median('loopMs') > maxLoopMs) isSlow()
      yield `| ${name} | ${first.ms.toFixed(1)} | ${median('ms').toFixed(1)} | ${median('loopMs').toFixed(1)} |`
    }
    await database.close()
  } finally {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** How long a read takes, and the longest time that it blocks the event loop. */
async function timeRead(read: () => Promise<unknown>): Promise<{ ms: number; loopMs: number }> {
  const startedAt = performance.now()
  let [last, loopMs, isRunning] = [startedAt, 0, true]
  const turn = () => {
    const now = performance.now()
    loopMs = Math.max(loopMs, now - last)
    last = now
    if (isRunning) setImmediate(turn)
  }
  setImmediate(turn)
  await read()
  isRunning = false
  return { ms: performance.now() - startedAt, loopMs }
}

// biome-ignore lint/suspicious/noExplicitAny: a read of any route and input.
type AnyRead = Read<string, any, any>

async function readsOf({ prisma: db, pool }: Database): Promise<[name: string, read: () => Promise<unknown>][]> {
  const now = new Date()
  const run = (operation: AnyRead, path: object, input: object = {}, organizationId = benchOrganizationId) => {
    const { query: readRows } = slicedReader(pool, organizationId)
    return operation.run({
      db,
      readRows,
      organizationId,
      now,
      role: 'admin',
      path,
      input: operation.input.parse(input),
    } as never)
  }
  const history = (subscriber_id: string, input: object = {}, of = benchOrganizationId) =>
    run(readSubscriberHistory, { subscriber_id }, { limit: 100, ...input }, of)
  const ago = (n: number) => ({ at: new Date(now.getTime() - n * 86_400_000).toISOString() })
  const explain = (subscriber_id: string, n: number, of = benchOrganizationId) =>
    run(readExplanation, { subscriber_id }, ago(n), of)
  const plan = (input: object = {}, of = benchOrganizationId) =>
    run(readPlanHistory, { key: 'plan-0' }, { limit: 100, ...input }, of)

  /** The id of the last item after this many pages. */
  const cursorAfter = async (pages: number, read: (input: object) => Promise<{ items: { id: string }[] }>) => {
    let page = await read({})
    for (let n = 1; n < pages; n += 1) page = await read({ starting_after: page.items.at(-1)?.id })
    return { starting_after: page.items.at(-1)?.id }
  }
  const [deep, middle] = [await cursorAfter(50, (input) => history('acme', input)), await cursorAfter(50, plan)]
  return [
    ['a page of a subscriber with 9 changes, on a quiet plan', () => history('customer-5')],
    ['a page of one with 1,000 changes, on a plan with 100,000', () => history('acme')],
    ['the same, of one feature', () => history('acme', { feature: 'feature-13' })],
    ['the same, of one whose changes on the plan overrides hide', () => history('acme', { feature: 'feature-3' })],
    ['the same, 5,000 items later', () => history('acme', deep)],
    ['a page of one with 20,000 changes', () => history('busy')],
    ['a page of the plan with 100,000 changes', () => plan()],
    ['the same, 5,000 items later', () => plan(middle)],
    ['explanation: yesterday, on a quiet plan', () => explain('customer-5', 1)],
    ['explanation: a day ago, on the plan with 100,000', () => explain('acme', 1)],
    ['the same, 360 days ago', () => explain('acme', 360)],
    ['2,000 features, 120 updates of all: a page of a subscriber', () => history('acme', {}, large.organizationId)],
    ['the same: a page of the plan', () => plan({}, large.organizationId)],
    ['the same: explanation, 100 days ago', () => explain('acme', 100, large.organizationId)],
  ]
}

/** A ULID in SQL, from a time in milliseconds and a number. */
function ulidSql(ms: string, number: string): string {
  const letters = Array.from({ length: 10 }, (_, index) => {
    return `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (${ms} >> ${5 * (9 - index)} & 31)::int + 1, 1)`
  })
  return `${letters.join(' || ')} || lpad((${number})::text, 16, '0')`
}

async function seed(client: pg.Client): Promise<void> {
  await client.query(`set entitlements.without_versions = 'true'`)
  const inOrganization = (id: string) => (sql: string) => client.query(sql.replaceAll('$org', `'${id}'`))
  const [run, runWide] = [inOrganization(benchOrganizationId), inOrganization(large.organizationId)]
  await seedObjects(run, {
    features,
    plans: ['plan-0', 'plan-1'],
    subscribers: `select 'acme' union select 'busy' union select 'customer-' || n from generate_series(0, 99999) n`,
  })
  await seedObjects(runWide, { features: large.features, plans: ['plan-0'], subscribers: `select 'acme'` })
  await grantAll(run, 'plan-0', changes.plan, features)
  await grantAll(run, 'plan-1', features, features)
  await grantAll(runWide, 'plan-0', large.features * large.updates, large.features)
  await overrideAll(run, `'acme'`, 7, changes.acme)
  await overrideAll(run, `'busy'`, 7, changes.busy)
  await run(`insert into override_version (organization_id, subscriber_id, feature_key, valid_to, valid_from, override_id, kind, "limit", created_at)
    select $org, 'customer-' || n % 100000, 'feature-' || n % 7, at + interval '1 day', at, 'id' || n, 'limit', n, at
      from (select n, ${momentOf(changes.others)} as at from generate_series(0, ${changes.others - 1}) n) moments`)
  // Entries that a page of the plan's history must skip.
  await withoutIndexes(client, 'audit_event', () =>
    run(`insert into audit_event (organization_id, audit_event_id, occurred_at, request_id, member_id, auth_type, service,
        method, route, params, ip, outcome, status, details, changed_at)
      select $org, ${ulidSql('(extract(epoch from at) * 1000)::bigint', 'n')}, at, 'req_' || n, '01MEMBER000000000000000000', 'member_apikey', 'api',
             'PATCH', '/org/plans/{key}', '{"key":"plan-0"}', '203.0.113.7', 'responded', 200, '{"grants":{"feature-1":{"from":null,"to":{"kind":"flag"}}}}', at
        from (select n, ${momentOf(changes.plan)} as at from generate_series(0, ${changes.plan - 1}) n) moments`),
  )
  await run('vacuum analyze')
}

type Run = (sql: string) => Promise<unknown>
type Objects = { features: number; plans: readonly string[]; subscribers: string }

/** `acme` and `busy` are on `plan-0`, the others on `plan-1`. */
async function seedObjects(run: Run, { features, plans, subscribers }: Objects): Promise<void> {
  const since = `now() - interval '${days} days'`
  await run(
    `insert into organization (organization_id, name, created_at, updated_at) values ($org, 'Bench', now(), now())`,
  )
  await run(`insert into feature (organization_id, feature_key, name, kind, created_at, updated_at)
    select $org, 'feature-' || n, 'Feature ' || n, 'limit', ${since}, now() from generate_series(0, ${features - 1}) n`)
  for (const plan of plans)
    await run(
      `insert into plan (organization_id, plan_key, name, created_at, updated_at) values ($org, '${plan}', 'Plan', ${since} - interval '1 day', now())`,
    )
  await run(`insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
    select $org, id, ${since}, now() from (${subscribers}) ids (id)`)
  await run(`insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, created_at)
    select $org, ${ulidSql('1700000000000', 'row_number() over ()')}, subscriber_id,
           case when subscriber_id like 'customer-%' then 'plan-1' else 'plan-0' end, ${since}
      from subscriber where organization_id = $org`)
}

/** The moments of changes, spread over the year. */
function momentOf(count: number, n = 'n'): string {
  return `date_trunc('milliseconds', now() - interval '${days} days' + (${n}) * interval '${days} days' / ${count})`
}

/** Versions of a plan's grants, one feature after another; if they change together, all at one moment. */
async function grantAll(run: Run, plan: string, count: number, each: number): Promise<void> {
  const isTogether = each === large.features
  const at = (n: string) => (isTogether ? momentOf(count / each, `(${n}) / ${each}`) : momentOf(count, n))
  await run(`insert into plan_grant_version (organization_id, plan_key, feature_key, valid_from, valid_to, kind, "limit")
    select $org, '${plan}', 'feature-' || n % ${each}, ${at('n')}, case when n + ${each} < ${count} then ${at(`n + ${each}`)} else 'infinity' end, 'limit', n
      from generate_series(0, ${count - 1}) n`)
  await run(`insert into plan_grant (organization_id, plan_key, feature_key, kind, "limit")
    select organization_id, plan_key, feature_key, kind, "limit" from plan_grant_version where organization_id = $org and plan_key = '${plan}' and valid_to = 'infinity'`)
}

async function overrideAll(run: Run, id: string, each: number, count: number): Promise<void> {
  await run(`insert into override_version (organization_id, subscriber_id, feature_key, valid_to, valid_from, override_id, kind, "limit", created_at)
    select $org, ${id}, 'feature-' || n % ${each}, ${momentOf(count, `n + ${each}`)}, ${momentOf(count)}, ${id} || n % ${each}, 'limit', n, ${momentOf(count, `n % ${each}`)}
      from generate_series(0, ${count - each - 1}) n`)
  await run(`insert into override (organization_id, subscriber_id, feature_key, override_id, kind, "limit", created_at, updated_at)
    select $org, ${id}, 'feature-' || n % ${each}, ${id} || n % ${each}, 'limit', n, ${momentOf(count, `n % ${each}`)}, ${momentOf(count)}
      from generate_series(${count - each}, ${count - 1}) n`)
}
