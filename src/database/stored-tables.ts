import pg from 'pg'

/** A table as the database describes it, so that no table that a migration adds is forgotten. */
export type StoredTable = {
  name: string
  columns: readonly { name: string; isSecret: boolean }[]
  /** The columns of the primary key. */
  key: readonly string[]
  /** The tables to which its foreign keys refer. */
  refersTo: readonly string[]
  /** PostgreSQL empties unlogged tables after a crash, so they contain nothing that must be kept. */
  isUnlogged: boolean
}

/** Tables that refer to an organization, but belong to the installation or to a person, and outlast the organization. */
const tablesThatOutlastOrganizations = ['deleted_organization', 'user_audit_event']

/**
 * Loads all tables of the service, each after the tables to which it refers. Columns of type bytea are secret: they contain
 * hashes or encrypted texts.
 */
export async function loadStoredTables(client: pg.Client | pg.Pool): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(`
    select t.relname as name, t.relpersistence = 'u' as "isUnlogged",
           (select json_agg(json_build_object('name', a.attname, 'isSecret', a.atttypid = 'bytea'::regtype) order by a.attnum)
              from pg_attribute a where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped) as columns,
           (select json_agg(a.attname order by k.ordinal)
              from pg_index i
             cross join unnest(i.indkey::int[]) with ordinality as k (attnum, ordinal)
              join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
             where i.indrelid = t.oid and i.indisprimary) as key,
           array(select distinct r.relname::text
                   from pg_constraint c join pg_class r on r.oid = c.confrelid
                  where c.conrelid = t.oid and c.contype = 'f') as "refersTo"
      from pg_class t
     where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and t.relname <> '_prisma_migrations'
     order by t.relname`)
  return inOrderOfReferences(rows)
}

/** Loads the tables with an organization's own rows: `organization` first, then each after the tables to which it refers. */
export async function loadOrganizationTables(client: pg.Client | pg.Pool): Promise<StoredTable[]> {
  const tables = await loadStoredTables(client)
  const own = tables.filter(({ name, columns }) => {
    return !tablesThatOutlastOrganizations.includes(name) && columns.some((column) => column.name === 'organization_id')
  })
  const [organization, others] = [own.filter(isOrganization), own.filter((table) => !isOrganization(table))]
  return [...organization, ...others]
}

export function isOrganization({ name }: StoredTable): boolean {
  return name === 'organization'
}

function inOrderOfReferences(tables: readonly StoredTable[]): StoredTable[] {
  const ordered = new Map<string, StoredTable>()
  const add = (table: StoredTable) => {
    for (const name of table.refersTo) {
      const referred = tables.find((other) => other.name === name)
      if (referred !== undefined && referred !== table && !ordered.has(name)) add(referred)
    }
    ordered.set(table.name, table)
  }
  for (const table of tables) if (!ordered.has(table.name)) add(table)
  return [...ordered.values()]
}

type ClientOptions = {
  url: string
  /** The connection's name in `pg_stat_activity`. */
  purpose: string
}

/** Runs work on a separate connection, without the pool's time limits on statements. */
export async function withClient<T>(
  { url, purpose }: ClientOptions,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const application_name = `entitlements-service ${purpose}`
  const client = new pg.Client({
    connectionString: url,
    application_name,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  // A lost connection also rejects the running statement.
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Begins a transaction whose reads all see the same snapshot. */
export const beginSnapshot = `begin isolation level repeatable read read only; set local time zone 'UTC'`

const pageRows = 1000

/** Reads the rows of a select as JSON texts, in pages, within the client's transaction. */
export async function* readAsJson(client: pg.Client, select: string): AsyncGenerator<string[]> {
  await client.query(
    `declare stored no scroll cursor for select row_to_json(stored)::text as json from (${select}) stored`,
  )
  for (let isLast = false; !isLast; ) {
    const { rows } = await client.query<{ json: string }>(`fetch ${pageRows} from stored`)
    isLast = rows.length < pageRows
    if (rows.length > 0) yield rows.map(({ json }) => json)
  }
  await client.query('close stored')
}
