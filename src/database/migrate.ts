import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'
import pg from 'pg'
import { reasonOf, StartupError } from '../core/startup-error.ts'
import { loadMigrations, noFilters, withSchemaEngine } from './schema-engine.ts'

/** Any number that nothing else in this database uses for an advisory lock. */
const lockKey = 5_067_413_001
/** Longer than any migration that another process may be running. */
const lockWaitMs = 300_000

export type MigrateOptions = {
  /** A connection of its own, not through PgBouncer: the lock belongs to it. */
  url: string
  folder?: string
}

/** Brings the database up to date. Of several processes that start together one does it, and the others wait. */
export async function migrate({ url, folder }: MigrateOptions): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, lock_timeout: lockWaitMs })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await applyMigrations(url, folder)
  } finally {
    // Also gives up the lock.
    await client.end().catch(() => {})
  }
}

async function applyMigrations(url: string, folder?: string): Promise<void> {
  const migrationsList = await loadMigrations(folder)
  try {
    await withSchemaEngine(url, async (engine) => {
      await forgetFailures(engine, migrationsList)
      await engine.applyMigrations({ migrationsList, filters: noFilters })
    })
  } catch (error) {
    throw new StartupError(`The database cannot be brought up to date: ${explain(error)}`)
  }
}

/**
 * Prisma refuses to go on after a migration that failed or was interrupted, as half of it may be there. Ours run whole
 * or not at all, so such a one is simply tried again.
 */
async function forgetFailures(engine: SchemaEngine, migrationsList: MigrationList): Promise<void> {
  const { failedMigrationNames } = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: noFilters,
  })
  for (const migrationName of failedMigrationNames) await engine.markMigrationRolledBack({ migrationName })
}

/** The engine appends a trace of itself, in which the name of the migration is the one thing of use. */
function explain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const migration = /migration_name="([^"]+)"/.exec(text)?.[1]
  const reason = /^Error querying the database: (.+)$/m.exec(text)?.[1] ?? reasonOf(error)
  return migration ? `migration ${migration} failed and was undone: ${reason}` : reason
}
