import { hash } from 'node:crypto'

/** The hash before the first link. */
export const genesis = '0'.repeat(64)

/** The version of the format of the hashed bytes; a new format needs a new version. */
const version = 'entitlements-audit-v1'

/** The columns of an entry by name, each as the text of its stored value. */
export type Columns = Readonly<Record<string, string | null>>

/** The data that a link's hash covers, besides the previous hash. */
export type LinkContents = { organizationId: string; position: number; columns: Columns }

/** SQL for the row `entry` with all its columns, for `toColumns`. The connection's time zone must be UTC. */
export const rowOf = (entry: string) => `row_to_json(${entry})::text`

/** Parses a row that `row_to_json` wrote. JSON.parse would lose the exact text of numbers and JSON columns. */
export function toColumns(row: string): Columns {
  const columns: Record<string, string | null> = {}
  for (let at = 1; at < row.length; ) {
    const colon = row.indexOf('":', at)
    const end = endOfValue(row, colon + 2)
    columns[row.slice(at + 1, colon)] = toText(row.slice(colon + 2, end))
    at = end + 1
  }
  return columns
}

function endOfValue(json: string, from: number): number {
  if (json[from] === '"') return endOfString(json, from)
  let depth = 0
  for (let at = from; ; at++) {
    const character = json[at]
    if (depth === 0 && (character === ',' || character === '}')) return at
    if (character === '"') at = endOfString(json, at) - 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
  }
}

/** The position after the closing quote. A quote after an odd number of backslashes is escaped. */
function endOfString(json: string, from: number): number {
  let quote = json.indexOf('"', from + 1)
  for (;;) {
    let before = quote - 1
    while (json[before] === '\\') before -= 1
    if ((quote - before) % 2 === 1) return quote + 1
    quote = json.indexOf('"', quote + 1)
  }
}

function toText(value: string): string | null {
  if (value === 'null') return null
  if (!value.startsWith('"')) return value
  return value.includes('\\') ? JSON.parse(value) : value.slice(1, -1)
}

/**
 * The columns that the outcome sets; until then, `outcome` is `pending` and the others are null. A test compares this list with
 * the trigger that guards the log in the database.
 */
export const outcomeColumns = ['outcome', 'status', 'details', 'created_id', 'rare_outcome', 'changed_at']

/** The columns of an entry as they were before its outcome was recorded. */
export function withoutOutcome(columns: Columns): Columns {
  if (columns.outcome === 'pending') return columns
  return { ...columns, ...Object.fromEntries(outcomeColumns.map((name) => [name, null])), outcome: 'pending' }
}

/**
 * SHA-256, in hex, over the version, the organization, the position, the previous hash, and the name and value of each column
 * that is not null, ordered by name. A column that is added later is null in older entries, so their hashes stay the same.
 */
export function hashLink({ organizationId, position, columns }: LinkContents, before: string): string {
  let text = [version, organizationId, `${position}`, before].map(toNetstring).join('')
  for (const name of Object.keys(columns).sort()) {
    const value = columns[name]
    if (value !== null && value !== undefined) text += toNetstring(name) + toNetstring(value)
  }
  return hash('sha256', text, 'hex')
}

/** Puts the length in bytes first, so that two different lists of texts never have the same bytes. */
function toNetstring(text: string): string {
  return `${Buffer.byteLength(text)}:${text},`
}
