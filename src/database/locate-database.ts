import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Config } from '../config.ts'
import { StartupError } from '../core/startup-error.ts'
import { assertServer } from './assert-server.ts'
import { findLockOwner } from './embedded/folder-lock.ts'
import { addressFile, startEmbeddedPostgres } from './embedded.ts'
import { explainDatabaseError } from './explain-error.ts'
import { poolerWithoutNames, probePooling } from './pooler.ts'

/** A database to use, with a function that stops it afterwards if it is embedded. */
export type LocatedDatabase = {
  kind: 'given' | 'running' | 'embedded'
  url: string
  /** The address that bypasses a PgBouncer, for migrations, LISTEN and advisory locks. */
  directUrl: string
  /** Whether `url` goes through a PgBouncer. */
  pooled: boolean
  /** Whether a named statement still exists in the next transaction. */
  namedStatements: boolean
  /** Resolves when an embedded PostgreSQL has ended; never for other kinds. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** The database of DATABASE_URL, or null if the variable is not set. Throws a StartupError if the database cannot be used. */
export async function findConfiguredDatabase(
  config: Config,
  { mayBeStandby = false }: { mayBeStandby?: boolean } = {},
): Promise<LocatedDatabase | null> {
  const { databaseUrl, databaseDirectUrl, pgbouncer } = config
  if (databaseUrl === undefined) return null
  const directUrl = databaseDirectUrl ?? databaseUrl
  const pooled = pgbouncer || directUrl !== databaseUrl
  await assertServer({ url: databaseUrl, variable: 'DATABASE_URL', mayBePooled: pooled, mayBeStandby })
  if (pooled) await assertServer({ url: directUrl, variable: 'DATABASE_DIRECT_URL', mayBePooled: false, mayBeStandby })
  const { moves, namedStatements } = pgbouncer ? poolerWithoutNames : await probePooling(databaseUrl)
  if (moves && !pooled) throw new StartupError(missingDirectUrl)
  return { ...toExistingDatabase('given', databaseUrl), directUrl, pooled, namedStatements }
}

const missingDirectUrl =
  'DATABASE_URL leads through a pooler that may use another connection for each transaction: DATABASE_DIRECT_URL has to name PostgreSQL itself.'

/** A line for the person who starts the service; null without a pooler. */
export function describePooling({ pooled, namedStatements }: LocatedDatabase): string | null {
  if (!pooled) return null
  return namedStatements
    ? 'The connections of DATABASE_URL keep named (prepared) statements between transactions, so the service uses named statements.'
    : 'DATABASE_URL leads through a pooler without named statements (PgBouncer before 1.21, or PGBOUNCER=true): none are used, and evals cost the database more.'
}

/** The embedded PostgreSQL of a server that runs on the same data folder, or null. Throws a StartupError if it is unusable. */
export async function findRunningDatabase({ dataDir }: Config): Promise<LocatedDatabase | null> {
  const url = readAddress(dataDir)
  if (url === null) {
    assertNoServerRuns(dataDir, 'but is just starting or stopping: try again in a moment')
    return null
  }
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return toExistingDatabase('running', url)
  } catch (error) {
    assertNoServerRuns(dataDir, `but its database cannot be used: ${explainDatabaseError(error)}`)
    // The file is left over from a server that was killed.
    return null
  } finally {
    await client.end().catch(() => {})
  }
}

export async function startEmbeddedDatabase(
  { dataDir, processes }: Config,
  log: (line: string) => void,
): Promise<LocatedDatabase> {
  // 100 connections are enough for a few processes: see docs/scaling.md.
  const settings = { max_connections: `${Math.max(100, 50 + 10 * processes)}` }
  const { url, ended, stop } = await startEmbeddedPostgres({ dataDir, log, settings })
  return { ...toExistingDatabase('embedded', url), ended, stop }
}

function assertNoServerRuns(dataDir: string, trouble: string): void {
  const pid = findLockOwner(dataDir)
  if (pid !== null) throw new StartupError(`The server with process id ${pid} runs on ${dataDir}, ${trouble}.`)
}

function toExistingDatabase(kind: LocatedDatabase['kind'], url: string): LocatedDatabase {
  const pooling = { directUrl: url, pooled: false, namedStatements: true }
  return { kind, url, ...pooling, ended: new Promise(() => {}), stop: async () => {} }
}

function readAddress(dataDir: string): string | null {
  try {
    return readFileSync(addressFile(dataDir), 'utf8').trim() || null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new StartupError(`The address of the running database cannot be read: ${message}`)
  }
}
