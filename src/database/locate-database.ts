import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Config } from '../config.ts'
import { StartupError } from '../core/startup-error.ts'
import { assertServer } from './assert-server.ts'
import { addressFile, startEmbeddedPostgres } from './embedded.ts'

/** A database to work on, and what has to be stopped afterwards. */
export type LocatedDatabase = {
  kind: 'given' | 'running' | 'embedded'
  url: string
  /** For migrations, LISTEN and advisory locks: past a PgBouncer that `url` may lead through. */
  directUrl: string
  /** Whether `url` leads through a PgBouncer. */
  pooled: boolean
  /** Resolves when an embedded PostgreSQL has ended; never for another one. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** The database of DATABASE_URL, or null where there is none. A StartupError when it cannot be used. */
export async function findGivenDatabase({ databaseUrl, databaseDirectUrl }: Config): Promise<LocatedDatabase | null> {
  if (databaseUrl === undefined) return null
  const directUrl = databaseDirectUrl ?? databaseUrl
  const pooled = directUrl !== databaseUrl
  await assertServer({ url: databaseUrl, variable: 'DATABASE_URL', mayBePooled: pooled })
  if (pooled) await assertServer({ url: directUrl, variable: 'DATABASE_DIRECT_URL', mayBePooled: false })
  return { ...existing('given', databaseUrl), directUrl, pooled }
}

/** The embedded PostgreSQL that a server is running on the same data folder, or null. */
export async function findRunningDatabase({ dataDir }: Config): Promise<LocatedDatabase | null> {
  const url = readAddress(dataDir)
  if (url === null) return null
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return existing('running', url)
  } catch {
    // The address of a server that was killed.
    return null
  } finally {
    await client.end().catch(() => {})
  }
}

export async function startEmbeddedDatabase(
  { dataDir }: Config,
  log: (line: string) => void,
): Promise<LocatedDatabase> {
  const { url, ended, stop } = await startEmbeddedPostgres({ dataDir, log })
  return { kind: 'embedded', url, directUrl: url, pooled: false, ended, stop }
}

function existing(kind: 'given' | 'running', url: string): LocatedDatabase {
  return { kind, url, directUrl: url, pooled: false, ended: new Promise(() => {}), stop: async () => {} }
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
