import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { MigrationList, SchemaEngine, SchemasContainer } from '@prisma/schema-engine-wasm'

export const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))
const schemaFile = fileURLToPath(new URL('../../schema.prisma', import.meta.url))

/** Nothing is managed outside of schema.prisma. */
export const noFilters = { externalTables: [], externalEnums: [] }

/** Prisma's own schema engine on one database: the one that `prisma migrate` runs, without its binary. */
export async function openSchemaEngine(url: string): Promise<SchemaEngine> {
  const { SchemaEngine } = await importQuietly(() => import('@prisma/schema-engine-wasm'))
  const { files } = await loadSchema()
  return SchemaEngine.new(
    { datamodels: files.map(({ path, content }) => [path, content]) },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new WholeScripts({ connectionString: url, connectionTimeoutMillis: 5000 })),
  )
}

export async function loadSchema(): Promise<SchemasContainer> {
  return { files: [{ path: 'schema.prisma', content: await readFile(schemaFile, 'utf8') }] }
}

export async function loadMigrations(folder = migrationsFolder): Promise<MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => {
        const content = await readFile(`${folder}/${name}/migration.sql`, 'utf8')
        return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: content } } }
      }),
    ),
  }
}

/**
 * Sends a migration whole, so that PostgreSQL runs it as one transaction: it is there or it is not. Prisma's adapter
 * would cut it at every semicolon, also at those inside of a function, and leave half of it after an error.
 */
class WholeScripts extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect()
    adapter.executeScript = async (sql) => {
      await adapter.executeRaw({ sql, args: [], argTypes: [] })
    }
    return adapter
  }
}

/** The engine imports its WebAssembly as a module, and Node warns that this is experimental: only that is left out. */
async function importQuietly<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('Importing WebAssembly')) emitWarning.call(process, warning, ...rest)
  }) as typeof emitWarning
  try {
    return await load()
  } finally {
    process.emitWarning = emitWarning
  }
}
