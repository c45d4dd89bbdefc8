import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine, SchemasContainer } from '@prisma/schema-engine-wasm'
import pg from 'pg'

const schemaFile = fileURLToPath(new URL('../../schema.prisma', import.meta.url))

/** Nothing is filtered: schema.prisma describes every table and enum. */
export const noFilters = { externalTables: [], externalEnums: [] }

/**
 * Calls `run` with Prisma's schema engine on one database: the engine of `prisma migrate`, without its binary. The engine and
 * its packages are only for development and tests.
 */
export async function withSchemaEngine<T>(
  url: string,
  run: (engine: SchemaEngine) => Promise<T>,
  AdapterFactory = EngineAdapterFactory,
): Promise<T> {
  const { SchemaEngine } = await import('@prisma/schema-engine-wasm')
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
    const adapters = bindMigrationAwareSqlAdapterFactory(new AdapterFactory(pool))
    const engine = await SchemaEngine.new({ datamodels }, () => {}, adapters)
    try {
      return await run(engine)
    } finally {
      engine.free()
    }
  } finally {
    await pool.end()
  }
}

export async function loadSchema(): Promise<SchemasContainer> {
  return { files: [{ path: 'schema.prisma', content: await readFile(schemaFile, 'utf8') }] }
}

/** Prisma's adapter, extended to read the results of the schema engine's queries. */
export class EngineAdapterFactory extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect()
    readCharColumns(adapter)
    return adapter
  }
}

type QueryResult = { fields?: { name: string; dataTypeID: number }[] }
type AdapterWithPool = SqlDriverAdapter & {
  underlyingDriver(): { query: (query: unknown) => Promise<QueryResult> }
}

/** Lets the adapter read the system catalogs' one-letter columns ("char"), which the engine queries. */
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
