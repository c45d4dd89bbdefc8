import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../core/startup-error.ts'
import { applyMigration, isLockTimeout, lockWaitMs, MigrationFailed } from './apply-migration.ts'
import { explainDatabaseError } from './explain-error.ts'
import { loadMigrations } from './migration-files.ts'
import { findMissingMigrations, markUnfinishedMigrations, openHistory } from './migration-history.ts'
import { type MigrationProgress, ProgressReport } from './migration-progress.ts'
import { adviseGrants, isMissingRight } from './missing-rights.ts'

/** An arbitrary number that no other advisory lock in this database uses. */
const lockKey = 5_067_413_001
const lockRetryMs = 200
const connectTimeoutMs = 5_000

type MigrateOptions = {
  /** Must not lead through a PgBouncer, because the advisory lock belongs to the connection. */
  url: string
  folder?: string | undefined
  /** Ends the running statement at once, and rolls back an incomplete migration. */
  signal?: AbortSignal | undefined
  /** Called with the names of the applied migrations: once for an empty database, otherwise after each migration. */
  onApplied?: ((names: string[]) => void) | undefined
  /** Called from time to time while a migration takes long: see ProgressReport. */
  onProgress?: ((progress: MigrationProgress) => void) | undefined
}

/**
 * Migrates the database. If several processes start together, one migrates while the others wait; running processes continue to
 * serve. `Migration.runs` determines what remains of a migration that fails.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { url, folder, signal, onApplied = () => {}, onProgress = () => {} } = options
  signal?.throwIfAborted()
  const progress = new ProgressReport(onProgress)
  const client = connectionFor(url)
  const end = () => void terminate(url, client)
  try {
    await client.connect()
    signal?.addEventListener('abort', end)
    signal?.throwIfAborted()
    await migrateLocked(client, { folder, signal, onApplied, progress })
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof StartupError) throw error
    throw new StartupError(`The database cannot be brought up to date: ${await explain(client, error)}`)
  } finally {
    progress.end()
    signal?.removeEventListener('abort', end)
    // Ending the connection also releases the lock.
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

type MigrateLockedOptions = Pick<MigrateOptions, 'folder' | 'signal'> & {
  onApplied(names: string[]): void
  progress: ProgressReport
}

async function migrateLocked(client: pg.Client, options: MigrateLockedOptions): Promise<void> {
  const { folder, signal, onApplied, progress } = options
  progress.begin({ doing: 'waiting for another process that migrates' })
  await takeLock(client, signal)
  const migrations = await loadMigrations(folder)
  const history = await openHistory(client)
  const missing = findMissingMigrations(migrations, history)
  await markUnfinishedMigrations(client, history)
  const isEmpty = history.length === 0
  for (const migration of missing) {
    await applyMigration(client, migration, { isEmpty, signal, progress })
    if (!isEmpty) onApplied([migration.name])
  }
  if (isEmpty) onApplied(missing.map(({ name }) => name))
}

/**
 * Repeats the attempt instead of waiting inside a statement: `create index concurrently`, in the process that has the lock,
 * would wait until this statement ends.
 */
async function takeLock(client: pg.Client, signal: AbortSignal | undefined): Promise<void> {
  const tryUntil = performance.now() + lockWaitMs
  while (performance.now() < tryUntil) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey])
    if (rows[0]?.taken) return
    await wait(lockRetryMs, undefined, { signal })
  }
  throw new StartupError(
    `The database cannot be brought up to date: another process has been migrating it for ${lockWaitMs / 60_000} minutes. Start again when it has finished`,
  )
}

async function explain(client: pg.Client, error: unknown): Promise<string> {
  const { cause, migration } = error instanceof MigrationFailed ? error : { cause: error, migration: null }
  const advice = isMissingRight(cause) ? await adviseGrants(client) : ''
  const reason = explainDatabaseError(cause, migration?.sql) + advice
  if (!migration) return reason
  const consequence = migration.runs === 'whole' ? 'and was undone' : 'and continues at the next start'
  const held = isLockTimeout(cause) ? `. ${heldLock}` : ''
  return `migration ${migration.name} failed ${consequence}: ${reason}${held}`
}

const heldLock = `For ${lockWaitMs / 60_000} minutes, another session has held a lock that the migration needs: look in pg_stat_activity for transactions that are older than that`

/** Stops the statement explicitly, because PostgreSQL would run it to its end even after its client has disconnected. */
async function terminate(url: string, client: pg.Client): Promise<void> {
  const { processID } = client
  const terminator = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: 5_000,
  })
  terminator.on('error', () => {})
  try {
    await terminator.connect()
    await terminator.query('select pg_terminate_backend($1)', [processID])
  } catch {
    // The database is unavailable, so the statement cannot be running.
  } finally {
    await terminator.end().catch(() => {})
    client.connection.stream.destroy()
  }
}
