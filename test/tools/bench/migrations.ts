import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { newApiKey } from '../../../src/access/api-key.ts'
import { loadMigrations } from '../../../src/database/migration-files.ts'
import { migrateAsNewer } from '../../support/newer-migration.ts'
import { nextCheck } from './exchanges.ts'
import { type LoadResult, runLoad } from './http-load.ts'
import { size } from './model.ts'
import { type Service, startService } from './processes.ts'
import { seedBench } from './seed.ts'

type Options = {
  /** Subscribers in the table that the migrations change. */
  rows: number
  durationMs: number
}

/** While a migration runs, the slowest percent of checks may take this many times as long as without. */
const aim = 2
/** A rate of checks that the service can sustain: at its limit, the bench would only show a busy machine. */
const pace = { connections: 16, pauseMs: 20 }

/** Each kind of migration during which processes of the previous version may keep running. */
const statements = {
  'a new table': 'create table tier (tier text primary key);',
  'a nullable column': 'alter table subscriber add column tier text collate "C";',
  'a value for each row, in batches': `-- in batches
update subscriber set tier = 'free' where ctid in (select ctid from subscriber where tier is null limit 1000);`,
  'an index, concurrently':
    'create index concurrently if not exists subscriber_tier on subscriber (organization_id, tier);',
  'no column any more': 'alter table subscriber drop column tier;',
}

/** Runs each kind of migration on a large table while checks are answered. Yields lines to print. */
export async function* measureMigrations({ rows, durationMs }: Options, fail: () => void): AsyncGenerator<string> {
  const service = await startService()
  try {
    const keys = await seed(service, rows)
    const load = (during: { durationMs?: number; signal?: AbortSignal }) =>
      runLoad({ port: service.port, ...pace, next: () => nextCheck(keys), ...during })
    await load({ durationMs })
    const without = await load({ durationMs: 2 * durationMs })
    yield `checks while migrations change a table of ${rows} rows, in Markdown:\n`
    yield '| | migration s | checks/s | p50 ms | p99 ms | max ms | p99, times without |\n|---|--:|--:|--:|--:|--:|--:|'
    yield row('without a migration', 0, without, without)
    const applied: Record<string, string> = {}
    const before = (await loadMigrations()).at(-1)?.name
    for (const [index, [name, sql]] of Object.entries(statements).entries()) {
      applied[`9999010${index}000000_bench`] = `-- runs beside: ${before}\n${sql}`
      const { result, seconds } = await during(load, () => migrateAsNewer(service.databaseUrl, applied), durationMs)
      if (result.p99Ms > aim * without.p99Ms) fail()
      yield row(name, seconds, result, without)
    }
    yield `\naim: at most ${aim} times without`
  } finally {
    await service.stop()
  }
}

async function seed(service: Service, rows: number): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 })
  const keys = Array.from({ length: size.organizations }, () => newApiKey())
  await seedBench(
    pool,
    keys.map(({ hash }) => hash),
  )
  await pool.query(
    `insert into subscriber (organization_id, subscriber_id, created_at, updated_at)
     select (select min(organization_id) from organization), 'row-' || n, now(), now() from generate_series(1, $1::int) n`,
    [rows],
  )
  await pool.query('vacuum analyze subscriber')
  await pool.end()
  return keys.map(({ key }) => key)
}

type Load = (during: { durationMs?: number; signal?: AbortSignal }) => Promise<LoadResult>

/** Runs checks from just before the migration until it ends, but at least for `leastMs`. */
async function during(load: Load, migrate: () => Promise<void>, leastMs: number) {
  const ended = new AbortController()
  const loading = load({ signal: ended.signal })
  const least = wait(leastMs)
  await wait(leastMs / 4)
  const startedAt = performance.now()
  await migrate()
  const seconds = (performance.now() - startedAt) / 1000
  await least
  ended.abort()
  return { result: await loading, seconds }
}

function row(name: string, seconds: number, result: LoadResult, without: LoadResult): string {
  const { perSecond, p50Ms, p99Ms, maxMs } = result
  const figures = [seconds, perSecond, p50Ms, p99Ms, maxMs].map((figure) => figure.toFixed(1))
  return `| ${name} | ${figures.join(' | ')} | ${(p99Ms / without.p99Ms).toFixed(2)} |`
}
