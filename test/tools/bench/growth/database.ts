import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { newApiKey } from '../../../../src/access/api-key.ts'
import { startEmbeddedPostgres } from '../../../../src/database/embedded.ts'
import { migrate } from '../../../../src/database/migrate.ts'
import { administer } from '../../../support/administer.ts'
import { setCatalogBytes } from '../../../support/catalog-bytes.ts'
import { organizationId, seedEvents, seedPeople } from '../people-seed.ts'
import { seedCallers } from '../seed-callers.ts'

export type Sizes = { subscribers: number; entries: number }
export type Scale = 'small' | 'large'

/** The addresses of two databases on one server, and the organization's key in both. `folder` holds the master key. */
export type GrowthDatabases = { urls: Record<Scale, string>; key: string; folder: string; stop(): Promise<void> }

/** Measured bytes on disk with all indexes, of a subscriber with all its rows and of an audit entry. */
const bytesOf = { subscriber: 2500, entry: 1300 }

/**
 * Fills two databases on one PostgreSQL with the same organization at two sizes. Keeps `dataDir` and reuses it if an earlier
 * run filled it; without one, uses a folder that `stop` removes.
 */
export async function openDatabases(
  sizes: Record<Scale, Sizes>,
  dataDir: string | undefined,
  say: (line: string) => void,
): Promise<GrowthDatabases> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'entitlements-growth-')))
  mkdirSync(folder, { recursive: true })
  const filled = join(folder, `filled-${JSON.stringify(sizes).replace(/\W+/g, '-')}`)
  if (!existsSync(filled)) {
    await assertRoom(folder, sizes.large, say)
    await fill(folder, sizes, say)
    writeFileSync(filled, '')
  }
  // Restart with the service's settings, without those that made filling faster.
  const { url, stop } = await startEmbeddedPostgres({ dataDir: folder, log: say })
  const urls = { small: databaseOf(url, 'small'), large: databaseOf(url, 'large') }
  const { key, hash } = newApiKey()
  for (const scale of ['small', 'large'] as const) {
    await migrate({ url: urls[scale] })
    await withClient(urls[scale], async (client) => {
      await client.query('update api_key set key_hash = $1 where organization_id = $2', [hash, organizationId])
      await refillEvents(client, sizes[scale].subscribers, say)
    })
  }
  return {
    urls,
    key,
    folder,
    async stop() {
      await stop()
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function assertRoom(folder: string, { subscribers, entries }: Sizes, say: (line: string) => void): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const needed = subscribers * bytesOf.subscriber + entries * bytesOf.entry
  say(
    `this takes about ${(needed / 1e9).toFixed(1)} GB in ${folder}, where ${((bavail * bsize) / 1e9).toFixed(0)} GB are free`,
  )
  if (bavail * bsize < needed * 1.5) throw new Error('there is not enough room on the disk')
}

async function fill(folder: string, sizes: Record<Scale, Sizes>, say: (line: string) => void): Promise<void> {
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '8GB',
    maintenance_work_mem: '512MB',
    autovacuum: 'off',
  }
  const server = await startEmbeddedPostgres({ dataDir: folder, log: say, settings })
  try {
    for (const scale of ['small', 'large'] as const) {
      const { subscribers, entries } = sizes[scale]
      say(`filling ${scale}: ${subscribers} subscribers, as many events, ${entries} audit entries`)
      const startedAt = performance.now()
      await fillDatabase(server, scale, sizes[scale])
      say(`filled ${scale} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    }
  } finally {
    await server.stop()
  }
}

type Addresses = { url: string; superuserUrl: string }

async function fillDatabase(addresses: Addresses, scale: Scale, { subscribers, entries }: Sizes): Promise<void> {
  await administer(addresses.superuserUrl, `drop database if exists ${scale}`)
  await administer(addresses.superuserUrl, `create database ${scale} owner entitlements`)
  await migrate({ url: databaseOf(addresses.url, scale) })
  await withClient(databaseOf(addresses.superuserUrl, scale), async (client) => {
    // The rows' references are valid, so triggers need not check them.
    await client.query('set session_replication_role = replica')
    await seedPeople(client, subscribers, entries)
    await seedAttempts(client)
    await seedCallers(client, [organizationId], [newApiKey().hash])
    await setCatalogBytes(client, organizationId)
  })
}

/** Restores the events that an earlier run on this database deleted. */
async function refillEvents(client: pg.Client, subscribers: number, say: (line: string) => void): Promise<void> {
  const { rows } = await client.query('select count(*)::int as events from webhook_event')
  if (rows[0].events > subscribers / 2) return
  say(`filling in ${subscribers} events again`)
  await client.query('truncate webhook_event, webhook_attempt')
  await seedEvents(client, subscribers)
  await seedAttempts(client)
  await client.query('analyze webhook_event')
}

/** Adds a complete attempt for each event. */
async function seedAttempts(client: pg.Client): Promise<void> {
  await client.query(
    `insert into webhook_attempt (organization_id, event_id, number, started_at, duration_ms, status, answer, headers)
     select organization_id, event_id, 1, occurred_at, 12, 200, 'ok',
            '{"content-type":"application/json","webhook-id":"' || event_id || '","webhook-signature":"v1,0123456789abcdef0123456789abcdef"}'
       from webhook_event`,
  )
  await client.query('vacuum analyze webhook_attempt')
}

function databaseOf(address: string, scale: Scale): string {
  return Object.assign(new URL(address), { pathname: `/${scale}` }).href
}

export async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
