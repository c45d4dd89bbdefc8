import { toSnakeCase } from '../core/names.ts'
import { Prisma } from './generated/client.ts'
import type PrismaTypes from './generated/pothos-types.ts'
import { getDatamodel } from './generated/pothos-types.ts'
import { isOmittedColumn, type OmittedOf } from './prisma.ts'
import { type Query, query, type Sql } from './sql.ts'

export type Model = keyof PrismaTypes
type RowOf<Name extends Model> = Omit<PrismaTypes[Name]['Shape'], OmittedOf<Name>>

/** A table from schema.prisma. Statements that are built from this object contain all columns, including those added later. */
export type Table<Row> = {
  name: Prisma.Sql
  each: readonly Column<Row>[]
  key: readonly Column<Row>[]
  /** The columns outside the primary key. */
  others: readonly Column<Row>[]
  /** The columns for a select, with the names that they have in a row. */
  columns: Query<Row>
  /**
   * Statements without their values. `insert` takes the values of all columns; `update` takes the values of the columns outside
   * the key, then the values of the key.
   */
  texts: { insert: readonly string[]; update: readonly string[] }
}

/** A column's name in a row (`field`) and in SQL, and its SQL type. */
export type Column<Row> = { field: keyof Row & string; name: string; type: string }

const { models } = getDatamodel().datamodel

const scalars = { String: 'text', Boolean: 'boolean', Int: 'integer', BigInt: 'bigint', DateTime: 'timestamptz' }
const sqlTypes = new Map(Object.entries(scalars))

/** The columns that the client does not omit. */
export function columnsOfModel(model: Model): { name: string; type: string; isList?: boolean }[] {
  return (models[model]?.fields ?? []).filter(({ kind, name }) => kind !== 'object' && !isOmittedColumn(model, name))
}

/** Defines the table of a model. `names` contains only the columns that are not named like their field in snake case. */
function defineTable<Name extends Model>(
  model: Name,
  names: { [Field in keyof RowOf<Name>]?: string } = {},
): Table<RowOf<Name>> {
  const each = columnsOfModel(model).map(({ name, type, isList }): Column<RowOf<Name>> => {
    const field = name as keyof RowOf<Name> & string
    const base = sqlTypes.get(type) ?? sqlNameOf(type)
    return { field, name: `"${names[field] ?? toSnakeCase(name)}"`, type: isList ? `${base}[]` : base }
  })
  const isKey = ({ field }: { field: string }) => models[model]?.primaryKey?.fields.includes(field)
  const [key, others, name] = [each.filter(isKey), each.filter((column) => !isKey(column)), `"${sqlNameOf(model)}"`]
  const texts = {
    insert: [`insert into ${name} (${namesOf(each)}) values (`, ...each.slice(1).map(() => ', '), ')'],
    update: [...toAssignments(others, `update ${name} set `, ', '), ...toAssignments(key, ' where ', ' and '), ''],
  }
  return { name: Prisma.raw(name), each, key, others, columns: toColumns(each, ''), texts }
}

/** The model `PlanGrant` has the table `plan_grant`; types of enums are named in the same way. */
function sqlNameOf(model: string): string {
  return toSnakeCase(model).slice(1)
}

function toAssignments(columns: readonly { name: string }[], start: string, separator: string): string[] {
  return columns.map(({ name }, index) => `${index === 0 ? start : separator}${name} = `)
}

function toColumns<Row>(each: readonly Column<Row>[], prefix: string): Query<Row> {
  return Prisma.raw(each.map(({ field, name }) => `${prefix}${name} as "${field}"`).join(', ')) as Query<Row>
}

/** The columns of the table under an alias. */
export function columnsOf<Row>({ each }: Table<Row>, alias: string): Query<Row> {
  return toColumns(each, `${alias}.`)
}

export function namesOf(columns: readonly { name: string }[]): string {
  return columns.map(({ name }) => name).join(', ')
}

/** Inserts a row, whose values may be SQL. */
export function insertRow<Row>(
  { texts, each }: Table<Row>,
  row: { [Field in keyof Row]: Row[Field] | Prisma.Sql },
): Prisma.Sql {
  return Prisma.sql(texts.insert, ...each.map(({ field }) => row[field]))
}

/** Updates every column outside the key. The caller must have locked the row, so that this undoes no newer write. */
export function updateRow<Row>({ texts, others, key }: Table<Row>, row: Row): Prisma.Sql {
  return Prisma.sql(texts.update, ...[...others, ...key].map(({ field }) => row[field]))
}

/** The condition that a row has this primary key. */
export function primaryKeyEquals<Row>({ key }: Table<Row>, row: Partial<Row>): Prisma.Sql {
  return Prisma.sql([...toAssignments(key, '', ' and '), ''], ...key.map(({ field }) => row[field]))
}

/**
 * `share` is for adding a reference to the row, which must then stay unchanged; `update` is for changing or deleting the row.
 */
export type LockStrength = 'share' | 'update'

/**
 * Locks the row until the transaction ends, and returns its current state, or null. The row may have been deleted and created
 * again during the wait for the lock: it then counts as missing, because the new row is not locked.
 */
export async function lockRow<Row>(
  sql: Sql,
  table: Table<Row>,
  rowKey: Partial<Row>,
  strength: LockStrength,
): Promise<Row | null> {
  const [row] = await sql.query(query`
    select ${table.columns} from ${table.name} where ${primaryKeyEquals(table, rowKey)} for ${Prisma.raw(strength)}`)
  return row ?? null
}

export const subscriberTable = defineTable('Subscriber', { id: 'subscriber_id' })
export const featureTable = defineTable('Feature', { key: 'feature_key' })
export const planTable = defineTable('Plan', { key: 'plan_key' })
export const grantTable = defineTable('PlanGrant')
export const subscriptionTable = defineTable('Subscription', { id: 'subscription_id' })
export const overrideTable = defineTable('Override', { id: 'override_id' })
export const serviceAccountTable = defineTable('ServiceAccount', { id: 'service_account_id' })
export const apiKeyTable = defineTable('ApiKey', { id: 'key_id', prefix: 'key_prefix' })
