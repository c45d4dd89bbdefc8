import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { connectDatabase } from '../../../src/database/client.ts'
import { startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { readsOf } from './people-reads.ts'
import { seedPeople } from './people-seed.ts'

const subscribers = 1_000_000
const entries = 2_000_000

/** The limit above which a read for the console is too slow. */
const maxMs = 100

/**
 * Measures the reads for the console in an organization with a million subscribers: each operation as the service runs it, on
 * its own PostgreSQL, or on the database at `databaseUrl`, filled by an earlier run. Calls `isSlow` for each read that takes
 * too long.
 */
export async function* measureConsoleReads(
  databaseUrl: string | undefined,
  isSlow: () => void,
): AsyncGenerator<string> {
  if (databaseUrl !== undefined) return yield* measureOn(databaseUrl, isSlow)
  const dataDir = mkdtempSync(join(tmpdir(), 'entitlements-people-'))
  const settings = { fsync: 'off', full_page_writes: 'off', max_wal_size: '4GB' }
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log: console.error, settings })
  try {
    await migrate({ url })
    const startedAt = performance.now()
    await withClient(url, (client) => seedPeople(client, subscribers, entries))
    yield `${subscribers} subscribers and ${entries} audit entries in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`
    yield* measureOn(url, isSlow)
    if (process.env.KEEP === '1') {
      yield `\n--database-url ${url} until this is interrupted`
      // Needed because nothing else keeps the process alive.
      const keepAlive = setInterval(() => {}, 60_000)
      await new Promise((resolve) => process.once('SIGTERM', resolve).once('SIGINT', resolve))
      clearInterval(keepAlive)
    }
  } finally {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function* measureOn(url: string, isSlow: () => void): AsyncGenerator<string> {
  const middle = await withClient(url, async (client) => ({
    entry: await rowOf(client, `select audit_event_id as id from audit_event order by 1 offset ${entries / 2} limit 1`),
    event: await rowOf(client, `select event_id as id from webhook_event order by 1 offset ${subscribers / 2} limit 1`),
    override: await rowOf(
      client,
      `select override_id as id from override order by 1 offset ${subscribers / 10} limit 1`,
    ),
    change: await rowOf(
      client,
      `select created_id as id from audit_event where route like '%/change' order by 1 limit 1`,
    ),
  }))
  const database = connectDatabase({ url, maxConnections: 1 })
  try {
    yield '| Read | first ms | again ms |\n|---|--:|--:|'
    for (const [name, read] of readsOf(database.prisma, middle)) {
      const first = await timeRead(read)
      // Enough runs for PostgreSQL to switch to a generic plan.
      const others: number[] = []
      for (let n = 0; n < 7; n++) others.push(await timeRead(read))
      const again = others.toSorted((a, b) => a - b)[3] as number
      if (again > maxMs) isSlow()
      yield `| ${name} | ${first.toFixed(1)} | ${again.toFixed(1)}${again > maxMs ? ' (slow)' : ''} |`
    }
  } finally {
    await database.close()
  }
}

/** A read that the database cancels counts with the time until it was canceled. */
async function timeRead(read: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await read().catch(() => {})
  return performance.now() - startedAt
}

async function rowOf(client: pg.Client, sql: string): Promise<string> {
  const { rows } = await client.query(sql)
  return rows[0].id
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
