import type { MigrationList } from '@prisma/schema-engine-wasm'
import { loadMigrations } from '../../src/database/migration-files.ts'
import { EngineAdapterFactory, withSchemaEngine } from '../../src/tools/schema-engine.ts'

const filters = { externalTables: [], externalEnums: [] }

/** Applies migrations as earlier versions did: with Prisma's engine, each file in one piece. */
export async function applyWithPrisma(url: string, folder?: string): Promise<void> {
  const migrationsList = await listFor(folder)
  await withSchemaEngine(url, (engine) => engine.applyMigrations({ migrationsList, filters }), WholeScriptsFactory)
}

/** The verdict of Prisma's own tools on the database's history. */
export async function diagnoseWithPrisma(url: string) {
  const migrationsList = await listFor()
  return withSchemaEngine(url, (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters }),
  )
}

async function listFor(folder?: string): Promise<MigrationList> {
  const migrations = await loadMigrations(folder)
  return {
    baseDir: '.',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  }
}

/** Unpatched, the adapter splits a script at every semicolon, even inside a function. */
class WholeScriptsFactory extends EngineAdapterFactory {
  override async connect(): ReturnType<EngineAdapterFactory['connect']> {
    const adapter = await super.connect()
    adapter.executeScript = async (sql) => void (await adapter.executeRaw({ sql, args: [], argTypes: [] }))
    return adapter
  }
}
