import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils'
import type { MigrationList, SchemaEngine, SchemasContainer } from '@prisma/schema-engine-wasm'
import pg from 'pg'

export const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))
const schemaFile = fileURLToPath(new URL('../../schema.prisma', import.meta.url))

/** Nothing is managed outside of schema.prisma. */
export const noFilters = { externalTables: [], externalEnums: [] }

/**
 * Gives `run` Prisma's own schema engine on one database: the one that `prisma migrate` runs, without its binary.
 * The engine locks for its session and never unlocks: it has one connection, which ends with it.
 */
export async function withSchemaEngine<T>(url: string, run: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const { SchemaEngine } = await importQuietly(() => import('@prisma/schema-engine-wasm'))
  const { files } = await loadSchema()
  const datamodels = files.map(({ path, content }): [string, string] => [path, content])
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: 5000,
    onConnect: async (client) => {
      await client.query(`set time zone 'UTC'`)
    },
  })
  pool.on('error', () => {})
  try {
    const adapters = bindMigrationAwareSqlAdapterFactory(new EngineAdapterFactory(pool))
    const engine = await SchemaEngine.new({ datamodels }, () => {}, adapters)
    const letGo = letEngineTimersGo()
    try {
      return await run(engine)
    } finally {
      letGo()
      engine.free()
    }
  } finally {
    await pool.end()
  }
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

/** Prisma's adapter with the two things mended that the schema engine needs of it. */
class EngineAdapterFactory extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect()
    sendScriptsWhole(adapter)
    readCharColumns(adapter)
    return adapter
  }
}

/**
 * A migration goes to PostgreSQL in one piece, which runs it as one transaction: it is there or it is not. As it is,
 * the adapter cuts it at every semicolon, also at those inside of a function, and an error leaves half of it.
 */
function sendScriptsWhole(adapter: SqlDriverAdapter): void {
  adapter.executeScript = async (sql) => {
    await adapter.executeRaw({ sql, args: [], argTypes: [] })
  }
}

type QueryResult = { fields?: { name: string; dataTypeID: number }[] }
type AdapterWithPool = SqlDriverAdapter & {
  underlyingDriver(): { query: (query: unknown) => Promise<QueryResult> }
}

/** The one-letter columns of the system catalogs ("char"): the engine reads them, the adapter does not know them. */
function readCharColumns(adapter: SqlDriverAdapter): void {
  const [charOid, textOid] = [18, 25]
  const charColumns = new Set<string>()

  const pool = (adapter as AdapterWithPool).underlyingDriver()
  const query = pool.query.bind(pool)
  pool.query = async (text) => {
    const result = await query(text)
    for (const field of result.fields ?? []) {
      if (field.dataTypeID !== charOid) continue
      field.dataTypeID = textOid
      charColumns.add(field.name)
    }
    return result
  }

  const queryRaw = adapter.queryRaw.bind(adapter)
  adapter.queryRaw = async (statement) => {
    const result = await queryRaw(statement)
    const columnTypes = result.columnTypes.map((type, column) =>
      charColumns.has(result.columnNames[column] ?? '') ? ColumnTypeEnum.Character : type,
    )
    return { ...result, columnTypes }
  }
}

const engineTimerMs = 10_000
let enginesRunning = 0
let plainSetTimeout = globalThis.setTimeout

/**
 * The engine sets a timer for its lock and never clears it, which would keep a command that is done waiting for ten
 * seconds. Such timers no longer hold the process, until the returned function is called.
 */
function letEngineTimersGo(): () => void {
  if (enginesRunning++ === 0) {
    plainSetTimeout = globalThis.setTimeout
    const setTimeout = (...args: Parameters<typeof plainSetTimeout>) => {
      const timer = plainSetTimeout(...args)
      return args[1] === engineTimerMs ? timer.unref() : timer
    }
    globalThis.setTimeout = Object.assign(setTimeout, plainSetTimeout) as typeof plainSetTimeout
  }
  return () => {
    if (--enginesRunning === 0) globalThis.setTimeout = plainSetTimeout
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
