import { Prisma } from './generated/client.ts'

/** A column: the SQL type of its values, and a value for each row. */
type Column = readonly [
  type: 'text' | 'jsonb' | 'bigint' | 'boolean' | 'timestamptz' | 'feature_kind' | 'subscription_status',
  values: readonly (string | bigint | boolean | Date | null)[],
]

/** No text that people write has it; see `toArray` for those that do. */
const separator = '\u001f'
const nullMark = '\u001e'

/**
 * Rows for the FROM of a statement, and their `place` from 1. All columns have the same length, at least one row. A column whose
 * values are all the same is sent as one value; the others as text that PostgreSQL splits, which costs both sides a fraction of
 * an array.
 */
export function rowsOf(name: string, columns: Readonly<Record<string, Column>>): Prisma.Sql {
  const [first, ...others] = Object.entries(columns) as [[string, Column], ...[string, Column][]]
  const varying = [first, ...others.filter(([, column]) => !isConstant(column))]
  const constant = others.filter(([, column]) => isConstant(column))
  const names = varying.map(([column]) => column).join(', ')
  const values = constant.map(
    ([column, [type, [value = null]]]) => Prisma.sql`${value}::${Prisma.raw(`${type} as ${column}`)}`,
  )
  return Prisma.sql`(
    select ${Prisma.join([Prisma.raw(`${names}, place`), ...values])}
      from unnest(${Prisma.join(varying.map(([, column]) => toArray(column)))})
           with ordinality as ${Prisma.raw(`each_row (${names}, place)`)}) as ${Prisma.raw(name)}`
}

function isConstant([, values]: Column): boolean {
  const [first = null] = values
  return values.every((value) => value === first || (value instanceof Date && toText(value) === toText(first)))
}

function toArray([type, values]: Column): Prisma.Sql {
  const texts = values.map(toText)
  const isSplit = texts.some((text) => text === nullMark || text?.includes(separator))
  const joined = texts.map((text) => text ?? nullMark).join(separator)
  const array = Prisma.raw(`${type}[]`)
  // One empty text would be split into none.
  if (isSplit || joined === '') return Prisma.sql`${texts}::text[]::${array}`
  return Prisma.sql`string_to_array(${joined}, ${separator}, ${nullMark})::${array}`
}

function toText(value: Column[1][number]): string | null {
  if (value === null) return null
  return value instanceof Date ? value.toISOString() : String(value)
}
