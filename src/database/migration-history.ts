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
  /** Not null if it was rolled back and no longer counts. */
  rolled_back_at: Date | null
  /** `Migration.runsBeside`; also null for migrations that were applied before this column existed. */
  runs_beside: string | null
  /** The version of the program that applied it; null before 0.2.0. */
  applied_by: string | null
}

/** A migration of a newer program. */
export type UnknownMigration = { name: string; runsBeside: string | null }

/** The columns of Prisma's engine, and ours at the end. */
const createTable = `
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

const completeTable = `
  alter table _prisma_migrations add column if not exists runs_beside text, add column if not exists applied_by text`

/** Finds a table or view in the schema where ours would be created, except those of extensions. */
const findForeignTable = `
  select relname as name from pg_class
  where relnamespace = to_regnamespace(quote_ident(current_schema())) and relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
  order by relname limit 1`

/** The history of the database, or null without its table. Changes nothing. */
export async function findHistory(client: pg.Client): Promise<RecordedMigration[] | null> {
  return (await findTable(client))?.history ?? null
}

/** `isComplete`: the table has our own columns. Prisma's engine and earlier versions created it without. */
async function findTable(client: pg.Client): Promise<{ history: RecordedMigration[]; isComplete: boolean } | null> {
  const found = await client.query(`select to_regclass('_prisma_migrations') is not null as "isThere"`)
  if (!found.rows[0]?.isThere) return null
  const { rows, fields } = await client.query<RecordedMigration>('select * from _prisma_migrations')
  const absent = { runs_beside: null, applied_by: null }
  const isComplete = Object.keys(absent).every((column) => fields.some(({ name }) => name === column))
  return { history: isComplete ? rows : rows.map((row) => ({ ...absent, ...row })), isComplete }
}

/** The history of the database, whose table is created in an empty database and completed in one of an earlier version. */
export async function openHistory(client: pg.Client): Promise<RecordedMigration[]> {
  const table = await findTable(client)
  if (table) {
    if (!table.isComplete) await client.query(completeTable)
    return table.history
  }
  const foreign = await client.query<{ name: string }>(findForeignTable)
  if (foreign.rows[0]) {
    throw new StartupError(
      `The database is not empty and holds no data of this service (it has "${foreign.rows[0].name}"): create a database for the service, and name that one in DATABASE_URL.`,
    )
  }
  await client.query(createTable)
  return []
}

/** The unknown migrations that do not allow a program that knows only these migrations to run beside them. */
export function findForbiddingMigrations(unknown: readonly UnknownMigration[], known: readonly string[]): string[] {
  return unknown
    .filter(({ runsBeside }) => runsBeside === null || !known.includes(runsBeside))
    .map(({ name }) => name)
    .sort()
}

/**
 * The migrations that are not applied yet. Throws a StartupError when the history has an unknown migration that does not
 * allow this program, or a known one with other contents: the program must not run on such a schema.
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

/** Called in the migration's transaction, so that `now()` is when it started. */
export async function recordAppliedMigration(client: pg.Client, { name, sql, runsBeside }: Migration): Promise<void> {
  await client.query(
    `insert into _prisma_migrations
       (id, migration_name, checksum, runs_beside, applied_by, started_at, finished_at, applied_steps_count)
     values (gen_random_uuid(), $1, $2, $3, $4, now(), clock_timestamp(), 1)`,
    [name, checksumOf(sql), runsBeside, version],
  )
}

/**
 * Earlier versions applied migrations with Prisma's engine, which records a migration before it runs, and refuses to continue
 * after an unfinished one. An unfinished one had no effect, so it is simply run again.
 */
export async function deleteUnfinishedMigrations(
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
