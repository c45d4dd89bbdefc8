import type pg from 'pg'
import { StartupError } from '../core/startup-error.ts'
import { version } from '../core/version.ts'
import { checksumOf, hasChecksum, type Migration } from './migration-files.ts'

/** A database's record of a migration, in the table that Prisma's own tools also use. */
export type RecordedMigration = {
  id: string
  migration_name: string
  checksum: string
  /** Null if Prisma's engine began the migration, but it failed or was interrupted. */
  finished_at: Date | null
  /** Not null if the migration was rolled back, so that it does not count as applied. */
  rolled_back_at: Date | null
  /** `Migration.runsBeside`; also null for migrations that were applied before this column existed. */
  runs_beside: string | null
  /** The version of the program that applied the migration; null before 0.2.0. */
  applied_by: string | null
}

/** A migration of another version, which this program does not know. */
export type UnknownMigration = { name: string; runsBeside: string | null }

/** The columns of Prisma's engine, and at the end two of the service's own. */
const createTableText = `
  create table _prisma_migrations (
    id varchar(36) primary key not null,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0,
    runs_beside text,
    applied_by text
  )`

const completeTableText = `
  alter table _prisma_migrations add column if not exists runs_beside text, add column if not exists applied_by text`

/** Finds a table or view in the schema where the service would create its tables, except those of extensions. */
const findForeignTableText = `
  select relname as name from pg_class
  where relnamespace = to_regnamespace(quote_ident(current_schema())) and relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
  order by relname limit 1`

/** Finds the history of the database; null if its table does not exist. Changes nothing. */
export async function findHistory(client: pg.Client): Promise<RecordedMigration[] | null> {
  return (await findTable(client))?.history ?? null
}

/**
 * Loads all records, or null if there is no table. `isComplete`: whether the table has the service's own columns. Prisma's
 * engine and earlier versions created it without them.
 */
async function findTable(client: pg.Client): Promise<{ history: RecordedMigration[]; isComplete: boolean } | null> {
  const found = await client.query(`select to_regclass('_prisma_migrations') is not null as "isThere"`)
  if (!found.rows[0]?.isThere) return null
  const { rows, fields } = await client.query<RecordedMigration>('select * from _prisma_migrations')
  const missingColumns = { runs_beside: null, applied_by: null }
  const isComplete = Object.keys(missingColumns).every((column) => fields.some(({ name }) => name === column))
  return { history: isComplete ? rows : rows.map((row) => ({ ...missingColumns, ...row })), isComplete }
}

/**
 * Loads the history of the database. Creates the table in an empty database, and adds the missing columns to a table that an
 * earlier version created.
 */
export async function openHistory(client: pg.Client): Promise<RecordedMigration[]> {
  const table = await findTable(client)
  if (table) {
    if (!table.isComplete) await client.query(completeTableText)
    return table.history
  }
  const foreignTables = await client.query<{ name: string }>(findForeignTableText)
  if (foreignTables.rows[0]) {
    throw new StartupError(
      `The database is not empty and holds no data of this service (it has "${foreignTables.rows[0].name}"): create a database for the service, and set DATABASE_URL to it.`,
    )
  }
  await client.query(createTableText)
  return []
}

/** Finds the unknown migrations after which a program that knows only the `known` migrations may not run. */
export function findForbiddingMigrations(unknown: readonly UnknownMigration[], known: readonly string[]): string[] {
  return unknown
    .filter(({ runsBeside }) => runsBeside === null || !known.includes(runsBeside))
    .map(({ name }) => name)
    .sort()
}

/**
 * The migrations that are not applied yet. Throws a StartupError if the history has an unknown migration after which this
 * program may not run, or a known migration with other contents: the program must not run on such a schema.
 */
export function findMissingMigrations(known: readonly Migration[], history: readonly RecordedMigration[]): Migration[] {
  const applied = new Map(history.filter(isMigrationApplied).map((row) => [row.migration_name, row]))
  const names = known.map(({ name }) => name)
  const unknown = [...applied.values()]
    .filter(({ migration_name: name }) => !names.includes(name))
    .map(({ migration_name: name, runs_beside: runsBeside }) => ({ name, runsBeside }))
  const forbidding = findForbiddingMigrations(unknown, names)
  if (forbidding.length > 0) {
    throw new StartupError(
      `The database was brought up to date by a newer version of this program (unknown here: ${forbidding.join(', ')}): start that version, or restore a backup from before its first start.`,
    )
  }
  for (const migration of known) {
    const row = applied.get(migration.name)
    if (row && !hasChecksum(migration, row.checksum)) {
      throw new StartupError(
        `The file of migration ${migration.name} was changed after this database ran it: restore the file, and write a new migration for the change.`,
      )
    }
  }
  return known.filter(({ name }) => !applied.has(name))
}

/** Called in the migration's transaction, so that `now()` is the time when it started. */
export async function recordAppliedMigration(client: pg.Client, { name, sql, runsBeside }: Migration): Promise<void> {
  await client.query(
    `insert into _prisma_migrations
       (id, migration_name, checksum, runs_beside, applied_by, started_at, finished_at, applied_steps_count)
     values (gen_random_uuid(), $1, $2, $3, $4, now(), clock_timestamp(), 1)`,
    [name, checksumOf(sql), runsBeside, version],
  )
}

/**
 * Marks unfinished migrations as rolled back, so that they run again. Earlier versions applied migrations with Prisma's engine,
 * which records a migration before it runs, and refuses to continue after an unfinished migration, even though that migration
 * had no effect.
 */
export async function markUnfinishedMigrations(
  client: pg.Client,
  history: readonly RecordedMigration[],
): Promise<void> {
  const ids = history.filter((row) => !row.finished_at && !row.rolled_back_at).map(({ id }) => id)
  if (ids.length === 0) return
  await client.query('update _prisma_migrations set rolled_back_at = now() where id = any($1)', [ids])
}

export function isMigrationApplied({ finished_at, rolled_back_at }: RecordedMigration): boolean {
  return finished_at !== null && rolled_back_at === null
}
