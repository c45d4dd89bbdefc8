import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Migration } from './migration-files.ts'
import { recordAppliedMigration } from './migration-history.ts'
import type { ProgressReport } from './migration-progress.ts'

/** The maximum wait for all locks of a migration, or for another process that migrates: longer than a migration takes. */
export const lockWaitMs = 300_000
/**
 * The time limit of one attempt to get a lock: while a migration waits for a table, every other statement on the table waits
 * behind it. After this time, the migration lets the other statements run, and then tries again.
 */
const lockAttemptMs = 200
const lockRetryMs = 800

export class MigrationFailed extends Error {
  readonly migration: Migration
  constructor(migration: Migration, cause: unknown) {
    super(`migration ${migration.name} failed`, { cause })
    this.migration = migration
  }
}

type ApplyOptions = {
  /** Whether the database has no tables, so that nobody else uses it. */
  isEmpty: boolean
  signal: AbortSignal | undefined
  progress: ProgressReport
}

/** Runs the migration and records it. Throws MigrationFailed. */
export async function applyMigration(client: pg.Client, migration: Migration, options: ApplyOptions): Promise<void> {
  options.progress.begin({ doing: 'running', migration: migration.name })
  try {
    if (migration.runs === 'alone') await applyAlone(client, migration)
    else if (migration.runs === 'batches') await applyBatches(client, migration, options)
    else await applyWhole(client, migration, options)
  } catch (error) {
    throw new MigrationFailed(migration, error)
  }
}

/** Commits the migration together with its record, so that it has no effect if it fails. */
async function applyWhole(client: pg.Client, migration: Migration, options: ApplyOptions): Promise<void> {
  await retryUntilLocked(options, async () => {
    try {
      const lockMs = options.isEmpty ? lockWaitMs : lockAttemptMs
      await client.query(`begin; set local time zone 'UTC'; set local lock_timeout = ${lockMs}`)
      await client.query(migration.sql)
      await recordAppliedMigration(client, migration)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

/**
 * Runs the migration outside of a transaction. First drops the invalid index that a failed attempt has left, because
 * `if not exists` would treat it as complete.
 */
async function applyAlone(client: pg.Client, migration: Migration): Promise<void> {
  const [, name] = /index\s+concurrently\s+(?:if\s+(?:not\s+)?exists\s+)?"?(\w+)"?/i.exec(migration.sql) ?? []
  const { rows } = await client.query<{ index: string }>(
    `select indexrelid::regclass::text as index from pg_index where not indisvalid and indexrelid = to_regclass($1)`,
    [`"${name}"`],
  )
  for (const { index } of rows) await client.query(`drop index concurrently ${index}`)
  // Without parallel workers a migration takes longer, but leaves the other cores to requests.
  await client.query('set max_parallel_maintenance_workers = 0')
  await client.query(migration.sql)
  await recordAppliedMigration(client, migration)
}

/**
 * Repeats the statement until no rows are left to change. Each batch commits by itself and is followed by an equally long
 * pause, so that other work gets half of the time.
 */
async function applyBatches(client: pg.Client, migration: Migration, options: ApplyOptions): Promise<void> {
  const runBatch = async () => {
    await client.query(`set lock_timeout = ${lockAttemptMs}`)
    const result = await client.query(migration.sql).finally(() => client.query(`set lock_timeout = ${lockWaitMs}`))
    if (typeof result.rowCount === 'number') return result.rowCount
    throw new Error('a migration in batches must be one statement that changes rows')
  }
  let largestBatch = 0
  let rows = 0
  for (;;) {
    const startedAt = performance.now()
    const changed = await retryUntilLocked(options, runBatch)
    rows += changed
    options.progress.update({ rows })
    // A batch smaller than an earlier one has changed all remaining rows, although processes of an older version may add more.
    if (changed === 0 || changed < largestBatch) break
    largestBatch = changed
    await wait(performance.now() - startedAt, undefined, { signal: options.signal })
  }
  await recordAppliedMigration(client, migration)
}

/** Repeats `run` until each of its locks is granted within `lockAttemptMs`; gives up after `lockWaitMs`. */
async function retryUntilLocked<Result>(
  { signal, progress }: ApplyOptions,
  run: () => Promise<Result>,
): Promise<Result> {
  const tryUntil = performance.now() + lockWaitMs
  for (;;) {
    try {
      const result = await run()
      progress.update({ doing: 'running' })
      return result
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > tryUntil) throw error
      progress.update({ doing: 'waiting for locks' })
      await wait(lockRetryMs, undefined, { signal })
    }
  }
}

export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03'
}
