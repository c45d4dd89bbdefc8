import pg from 'pg'
import { StartupError } from '../core/startup-error.ts'
import { explainDatabaseError } from './explain-error.ts'
import { loadMigrations, type Migration } from './migration-files.ts'
import { findMissing, forgetUnfinished, openHistory, recordApplied } from './migration-history.ts'
import { adviseGrants, isMissingRight } from './missing-rights.ts'

/** An arbitrary number that no other advisory lock in this database uses. */
const lockKey = 5_067_413_001
/** For the advisory lock and every lock of a migration: longer than another process needs to migrate. */
const lockWaitMs = 300_000
const connectTimeoutMs = 5_000

type MigrateOptions = {
  /** Must not lead through PgBouncer, because the connection owns the lock. */
  url: string
  folder?: string | undefined
  /** Ends the running statement at once, and rolls back an incomplete migration. */
  signal?: AbortSignal | undefined
  /** Called with the names of the applied migrations: once for an empty database, else after each. */
  onApplied?: ((names: string[]) => void) | undefined
}

/**
 * Migrates the database. If several processes start together, one migrates while the others wait. Each migration commits
 * together with its record, or has no effect.
 */
export async function migrate({ url, folder, signal, onApplied = () => {} }: MigrateOptions): Promise<void> {
  signal?.throwIfAborted()
  const client = connectionFor(url)
  const end = () => void terminate(url, client)
  try {
    await client.connect()
    signal?.addEventListener('abort', end)
    signal?.throwIfAborted()
    await migrateLocked(client, await loadMigrations(folder), onApplied)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof StartupError) throw error
    throw new StartupError(`The database cannot be brought up to date: ${await explain(client, error)}`)
  } finally {
    signal?.removeEventListener('abort', end)
    // Also releases the lock.
    await client.end().catch(() => {})
  }
}

function connectionFor(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'entitlements-service migrations',
    connectionTimeoutMillis: connectTimeoutMs,
    lock_timeout: lockWaitMs,
    keepAlive: true,
  })
  client.on('error', () => {})
  return client
}

async function migrateLocked(client: pg.Client, known: Migration[], onApplied: (names: string[]) => void) {
  await client.query('select pg_advisory_lock($1)', [lockKey])
  const history = await openHistory(client)
  const missing = findMissing(known, history)
  await forgetUnfinished(client, history)
  for (const migration of missing) {
    await apply(client, migration)
    if (history.length > 0) onApplied([migration.name])
  }
  if (history.length === 0) onApplied(missing.map(({ name }) => name))
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(`begin; set local time zone 'UTC'`)
    await client.query(migration.sql)
    await recordApplied(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new MigrationFailed(migration, error)
  }
}

class MigrationFailed extends Error {
  readonly migration: Migration
  constructor(migration: Migration, cause: unknown) {
    super(`migration ${migration.name} failed`, { cause })
    this.migration = migration
  }
}

async function explain(client: pg.Client, error: unknown): Promise<string> {
  const { cause, migration } = error instanceof MigrationFailed ? error : { cause: error, migration: null }
  const advice = isMissingRight(cause) ? await adviseGrants(client) : ''
  const reason = explainDatabaseError(cause, migration?.sql) + advice
  if (migration) return `migration ${migration.name} failed and was undone: ${reason}`
  const isLocked = (cause as { code?: unknown }).code === '55P03'
  return isLocked
    ? `another process has been migrating it for ${lockWaitMs / 60_000} minutes. Start again when it has finished`
    : reason
}

/** Stops the statement explicitly: PostgreSQL would run it to its end even after its client has disconnected. */
async function terminate(url: string, client: pg.Client): Promise<void> {
  const { processID } = client
  const killer = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: 5_000,
  })
  killer.on('error', () => {})
  try {
    await killer.connect()
    await killer.query('select pg_terminate_backend($1)', [processID])
  } catch {
    // The database is unavailable, so the statement cannot be running.
  } finally {
    await killer.end().catch(() => {})
    client.connection.stream.destroy()
  }
}
