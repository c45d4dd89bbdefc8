/** A process of its own: is sent `MigrateOptions`, applies what is missing, and answers null or what went wrong. */
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'
import { reasonOf } from '../core/startup-error.ts'
import type { MigrateOptions } from './migrate.ts'
import { loadMigrations, noFilters, withSchemaEngine } from './schema-engine.ts'

process.once('message', async (options: MigrateOptions) => {
  const failure = await applyMigrations(options)
  process.send?.(failure, () => process.disconnect())
})

async function applyMigrations({ url, folder }: MigrateOptions): Promise<string | null> {
  try {
    const migrationsList = await loadMigrations(folder)
    await withSchemaEngine(url, async (engine) => {
      await forgetFailures(engine, migrationsList)
      await engine.applyMigrations({ migrationsList, filters: noFilters })
    })
    return null
  } catch (error) {
    return explain(error)
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
