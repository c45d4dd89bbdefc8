import { Prisma } from './generated/client.ts'
import { type Column, namesOf, type Table } from './table.ts'

type Value = string | number | bigint | boolean | Date | null

/** The SQL type of a column's values, and a value for each row. */
type ColumnOfRows = readonly [type: string, values: readonly Value[]]

/** The texts between values and in place of null: people do not type them, and `toArray` handles values that contain them. */
const separator = '\u001f'
const nullMark = '\u001e'

/**
 * Rows for the FROM clause of a statement, with their `ordinal` from 1. All columns must have the same number of values, at
 * least one. A column with equal values is sent as one value; the others are sent as text that PostgreSQL splits, which costs
 * both sides a fraction of the cost of an array.
 */
export function rowsOf(name: string, columns: Readonly<Record<string, ColumnOfRows>>): Prisma.Sql {
  const all = Object.entries(columns)
  const differingColumns = all.filter(([, column]) => !isConstant(column))
  // At least one column must be split into rows.
  const splitColumns = differingColumns.length > 0 ? differingColumns : all.slice(-1)
  const constantColumns = all.filter((column) => !splitColumns.includes(column))
  const names = splitColumns.map(([column]) => column).join(', ')
  const values = constantColumns.map(
    ([column, [type, [value = null]]]) => Prisma.sql`${value}::${Prisma.raw(`${type} as ${column}`)}`,
  )
  return Prisma.sql`(
    select ${Prisma.join([Prisma.raw(`${names}, ordinal`), ...values])}
      from unnest(${Prisma.join(splitColumns.map(([, column]) => toArray(column)))})
           with ordinality as ${Prisma.raw(`each_row (${names}, ordinal)`)}) as ${Prisma.raw(name)}`
}

/** Inserts in the order of the rows, so that two writers of the same rows never deadlock. */
export function insertRows<Row>(table: Table<Row>, rows: readonly Row[]): Prisma.Sql {
  const names = Prisma.raw(namesOf(table.each))
  return Prisma.sql`
    insert into ${table.name} (${names})
    select ${names} from ${givenRows(table.each, rows)} order by ordinal`
}

/** Inserts the rows, or replaces existing rows with the same keys. */
export function putRows<Row>(table: Table<Row>, rows: readonly Row[]): Prisma.Sql {
  return Prisma.sql`
    ${insertRows(table, rows)}
        on conflict (${Prisma.raw(namesOf(table.key))}) do update set ${setNonKeyColumns(table, 'excluded')}`
}

/** Updates every column outside the key. */
export function updateRows<Row>(table: Table<Row>, rows: readonly Row[]): Prisma.Sql {
  return Prisma.sql`
    update ${table.name} as stored set ${setNonKeyColumns(table, 'given')}
      from ${givenRows(table.each, rows)}
     where ${hasPrimaryKey(table)}`
}

export function deleteRows<Row>(table: Table<Row>, rows: readonly Row[]): Prisma.Sql {
  return Prisma.sql`
    delete from ${table.name} as stored using ${givenRows(table.key, rows)} where ${hasPrimaryKey(table)}`
}

function givenRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Prisma.Sql {
  const values = columns.map(({ field, name, type }) => [name, [type, rows.map((row) => row[field])]])
  return rowsOf('given', Object.fromEntries(values))
}

function setNonKeyColumns<Row>({ others }: Table<Row>, source: 'given' | 'excluded'): Prisma.Sql {
  return Prisma.raw(others.map(({ name }) => `${name} = ${source}.${name}`).join(', '))
}

function hasPrimaryKey<Row>({ key }: Table<Row>): Prisma.Sql {
  return Prisma.raw(key.map(({ name }) => `stored.${name} = given.${name}`).join(' and '))
}

function isConstant([, values]: ColumnOfRows): boolean {
  const [first = null] = values
  return values.every((value) => value === first || (value instanceof Date && toText(value) === toText(first)))
}

function toArray([type, values]: ColumnOfRows): Prisma.Sql {
  const texts = values.map(toText)
  const needsArray = texts.some((text) => text === nullMark || text?.includes(separator))
  const joined = texts.map((text) => text ?? nullMark).join(separator)
  const array = Prisma.raw(`${type}[]`)
  // PostgreSQL would split a single empty text into no rows.
  if (needsArray || joined === '') return Prisma.sql`${texts}::text[]::${array}`
  return Prisma.sql`string_to_array(${joined}, ${separator}, ${nullMark})::${array}`
}

function toText(value: Value): string | null {
  if (value === null) return null
  return value instanceof Date ? value.toISOString() : String(value)
}
