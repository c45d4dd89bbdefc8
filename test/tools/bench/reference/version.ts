import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { newApiKey } from '../../../../src/access/api-key.ts'
import { administer } from '../../../support/administer.ts'
import { size } from '../model.ts'
import { nodeOf, startVersion } from '../processes.ts'
import { putWebhook } from '../writes.ts'

/** A running version of the service, with its own database. */
export type Version = {
  name: string
  port: number
  pid: number
  /** The name of the database. */
  database: string
  pool: pg.Pool
  /** One key of each organization. The first half of the organizations has a webhook. */
  keys: readonly string[]
  /** Subscribers that were created and have no subscription yet. */
  created: { organization: number; subscriberId: string }[]
  imports: number
  restart(): Promise<void>
  stop(): Promise<void>
}

export const withWebhook = ({ keys }: Version) => keys.slice(0, keys.length / 2)
export const withoutWebhook = ({ keys }: Version) => keys.slice(keys.length / 2)

type Checkout = {
  name: string
  folder: string
  /** The folder for the master key and other files of the version. */
  dataDir: string
  server: { url: string; superuserUrl: string }
  receiverPort: number
}

/** Starts a version on a new database, which it migrates itself and which its own bench fills. */
export async function prepareVersion({ name, folder, dataDir, server, receiverPort }: Checkout): Promise<Version> {
  const database = `reference_${name}`
  await administer(server.superuserUrl, `create database ${database} owner entitlements`)
  const databaseUrl = Object.assign(new URL(server.url), { pathname: `/${database}` }).href
  await mkdir(dataDir, { recursive: true })
  const start = () => startVersion(folder, { databaseUrl, dataDir })
  let service = await start()
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
  const version: Version = {
    name,
    port: service.port,
    pid: service.pid,
    database,
    pool,
    keys: [],
    created: [],
    imports: 0,
    async restart() {
      await service.stop()
      service = await start()
      Object.assign(version, { port: service.port, pid: service.pid })
    },
    async stop() {
      await pool.end()
      await service.stop()
    },
  }
  const keys = Array.from({ length: size.organizations }, () => newApiKey())
  await seed(
    folder,
    databaseUrl,
    keys.map(({ hash }) => hash),
  )
  version.keys = keys.map(({ key }) => key)
  for (const key of withWebhook(version)) await putWebhook(version, key, `http://127.0.0.1:${receiverPort}`)
  return version
}

/** Runs in its own process, because a version's seed imports that version's code. */
async function seed(folder: string, databaseUrl: string, keyHashes: readonly Buffer[]): Promise<void> {
  const bench = ['test/tools/bench', 'test/bench'].find((path) => existsSync(join(folder, path, 'seed.ts')))
  const program = `
    const { default: pg } = await import('pg')
    const { size } = await import('./${bench}/model.ts')
    Object.assign(size, ${JSON.stringify(size)})
    const { seedBench } = await import('./${bench}/seed.ts')
    const pool = new pg.Pool({ connectionString: ${JSON.stringify(databaseUrl)}, max: 1 })
    await seedBench(pool, ${JSON.stringify(keyHashes.map((hash) => hash.toString('hex')))}.map((hex) => Buffer.from(hex, 'hex')))
    await pool.end()`
  const child = spawn(nodeOf(folder), ['--input-type=module', '--eval', program], { cwd: folder, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${bench}/seed.ts of ${folder} failed`)
}

/** Waits until all events are delivered and, in a version with a chained audit log, all entries are in the chain. */
export async function untilDrained({ pool, name }: Version): Promise<void> {
  const { rows } = await pool.query(`select to_regclass('audit_event_unchained') is not null as "isChained"`)
  const unchained = rows[0].isChained ? 'or exists (select from audit_event_unchained)' : ''
  const deadline = performance.now() + 120_000
  while (performance.now() < deadline) {
    const left = await pool.query(
      `select exists (select from webhook_event where state = 'queued') ${unchained} as "hasWork"`,
    )
    if (!left.rows[0].hasWork) return
    await wait(100)
  }
  throw new Error(`${name} did not finish its background work within two minutes`)
}
