import { Prisma } from './generated/client.ts'
import type { FeatureKind, Role } from './generated/enums.ts'
import type { Queries } from './prisma.ts'

/** SQL with its values, as `Prisma.sql` returns it. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] }

/** A row's values as text; null is SQL's null. */
export type TextRow = (string | null)[]

/** A statement that is prepared once for each connection if it has a name, otherwise for each execution. */
export type TextStatement = { name?: string; text: string; values: unknown[] }

/**
 * Select this in a transaction or a single statement to commit it without waiting for the disk. Only for writes that a crash of
 * PostgreSQL may undo without harm.
 */
export const asynchronousCommit = `set_config('synchronous_commit', 'off', true)`

/**
 * Select this in a transaction or a single statement that deletes entries of the audit log, whose trigger refuses all other
 * deletions. Only for entries whose retention has ended, and entries of an organization that is removed.
 */
export const allowEntryDeletion = `set_config('entitlements.may_delete_audit_entries', 'true', true)`

/**
 * Select this in a transaction or a single statement that copies or removes whole tables, so that the triggers write no
 * versions of its changes (decision 46).
 */
export const withoutVersions = `set_config('entitlements.without_versions', 'true', true)`

declare const row: unique symbol

/** SQL whose rows have this type: a statement, or the columns that it selects. Only this folder creates it. */
export type Query<Row> = Prisma.Sql & { readonly [row]: Row }

type Value = string | number | bigint | boolean | Date | Uint8Array | null | readonly unknown[]

/** Like `Prisma.sql`, but the type of the rows is that of the columns among its parts. */
export function query<Row>(strings: TemplateStringsArray, ...parts: (Query<Row> | Prisma.Sql | Value)[]): Query<Row> {
  return Prisma.sql(strings, ...parts) as Query<Row>
}

/** The TypeScript type of the values of each SQL type. */
type ValueTypes = {
  text: string
  boolean: boolean
  bigint: bigint
  float8: number
  timestamptz: Date
  role: Role
  feature_kind: FeatureKind
}

/** Computed columns by name. Each column is cast to its type, and may be null only within `nullableColumns`. */
export function computedColumns<const Given extends Record<string, readonly [keyof ValueTypes, Prisma.Sql]>>(
  given: Given,
) {
  const columns = Object.entries(given).map(
    ([name, [type, value]]) => Prisma.sql`(${value})::${Prisma.raw(`${type} as "${name}"`)}`,
  )
  return Prisma.join(columns) as Query<{ -readonly [Name in keyof Given]: ValueTypes[Given[Name][0]] }>
}

export function combineColumns<One, Other>(one: Query<One>, other: Query<Other>): Query<One & Other> {
  return Prisma.sql`${one}, ${other}` as Query<One & Other>
}

/** The columns of an outer join, which may all be null. */
export function nullableColumns<Row>(columns: Query<Row>): Query<{ [Column in keyof Row]: Row[Column] | null }> {
  return columns as Query<never>
}

/** Runs plain SQL. The values in rows have Prisma's types, such as `bigint` and `Date`. */
export type Sql = {
  query<Row>(statement: Query<Row>): Promise<Row[]>
}

/** Runs plain SQL on Prisma's client. */
export function viaPrisma(db: Queries): Sql {
  return { query: <Row>(statement: Query<Row>) => db.$queryRaw<Row[]>(statement) }
}

/** The database's current time, not the time when the transaction began. */
export async function readClock(sql: Sql): Promise<Date> {
  const [clock] = await sql.query(
    query`select ${computedColumns({ now: ['timestamptz', Prisma.sql`clock_timestamp()`] })}`,
  )
  return (clock as { now: Date }).now
}

type SettledResult<Promises extends readonly unknown[]> = {
  -readonly [Index in keyof Promises]: Awaited<Promises[Index]>
}

/**
 * The results of statements that were sent one after the other, or the error of the first one that failed: later statements
 * only report that the transaction is aborted.
 */
export async function awaitInOrder<const Promises extends readonly unknown[]>(
  promises: Promises,
): Promise<SettledResult<Promises>> {
  // Rejections after the first failure are not awaited, and must not count as unhandled.
  for (const promise of promises) Promise.resolve(promise).catch(() => {})
  const results = []
  for (const promise of promises) results.push(await promise)
  return results as SettledResult<Promises>
}
