import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { ensureBuilds } from '../../src/web/ensure-builds.ts'
import { administer } from './administer.ts'
import { createLongPathFolder } from './long-path-folder.ts'
import { makeMemoryFolder } from './memory-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database that all test files share; each test creates its own organization. */
    databaseUrl: string
    /** A migrated database without rows and connections, of which tests make copies. */
    templateDatabase: string
    /** How long a test may wait for a state. */
    waitMs: number
    /** The number of cases of a random test. */
    randomRuns: number
    /** Tables with the column `organization_id`. */
    tablesWithOrganization: string[]
    /** For the statements that started processes send: a file for each worker. */
    statementsFolder: string
  }
}

// Data written in tests may be lost.
const fastSettings = { fsync: 'off', full_page_writes: 'off', max_connections: '300' }

/**
 * A migrated database for all projects of the run, unless they are only the unit tests: on the server of TEST_DATABASE_URL, or
 * on our own server in a temporary folder.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.vitest.projects.every(({ name }) => name === 'unit')) return undefined
  // Without this cache, a process needs three seconds to load the service, mostly to compile it.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
  // Builds what `npm start` builds.
  await ensureBuilds({ signal: new AbortController().signal, print: console.log })
  const server = process.env.TEST_DATABASE_URL
  const removeFolder = makeMemoryFolder()
  const statementsFolder = mkdtempSync(join(tmpdir(), 'entitlements-sent-'))
  project.provide('statementsFolder', statementsFolder)
  const { url, stop: stopServer } = server ? await makeDatabase(server) : await startServer()
  const stop = async () => {
    await stopServer()
    removeFolder()
    rmSync(statementsFolder, { recursive: true, force: true })
  }
  try {
    await migrate({ url })
    project.provide('tablesWithOrganization', await readTables(url))
    const template = `${new URL(url).pathname.slice(1)}_template`
    await administer(url, `create database ${template} template ${new URL(url).pathname.slice(1)}`)
    project.provide('templateDatabase', template)
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('databaseUrl', url)
  return stop
}

type TestDatabase = { url: string; stop: () => Promise<void> }

async function startServer(): Promise<TestDatabase> {
  const dataDir = createLongPathFolder('entitlements-test')
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: console.log, settings: fastSettings })
    // Only for the service's role, because some tests create their own databases.
    await administer(postgres.superuserUrl, 'alter role entitlements createdb')
    const stop = async () => {
      await postgres.stop()
      removeFolder()
    }
    return { url: postgres.url, stop }
  } catch (error) {
    removeFolder()
    throw error
  }
}

async function makeDatabase(server: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${Date.now()}`
  await administer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const stop = async () => {
    await administer(server, `drop database ${name} with (force)`)
    await administer(server, `drop database if exists ${name}_template`)
  }
  return { url: url.href, stop }
}

async function readTables(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'`,
  )
  await client.end()
  return rows.map(({ name }) => name)
}
