import { hash } from 'node:crypto'

/** The hash before the first link. */
export const genesis = '0'.repeat(64)

/** Of the form of the hashed bytes: another form gets another tag. */
const version = 'entitlements-audit-v1'

/** The columns of an entry by name, each as the text of its stored value. */
export type Columns = Readonly<Record<string, string | null>>

/** What a link's hash covers, besides the hash before. */
export type Linked = { organizationId: string; position: number; columns: Columns }

/** SQL: the row `entry`, for `toColumns`. The connection's time zone must be UTC. A new column is not forgotten. */
export const rowOf = (entry: string) => `row_to_json(${entry})::text`

/** The columns of a row that `row_to_json` wrote. JSON.parse would not keep the text of numbers and of JSON in a column. */
export function toColumns(row: string): Columns {
  const columns: Record<string, string | null> = {}
  let depth = 0
  let from = 1
  for (let at = 0; at < row.length; at++) {
    const character = row[at]
    if (character === '"') at = endOfString(row, at)
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > 0 && (depth > 1 || character !== ',')) continue
    const colon = row.indexOf('":', from)
    columns[row.slice(from + 1, colon)] = toText(row.slice(colon + 2, at))
    from = at + 1
  }
  return columns
}

/** Of its closing quote. */
function endOfString(json: string, from: number): number {
  let at = from + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

function toText(value: string): string | null {
  if (value === 'null') return null
  return value.startsWith('"') ? JSON.parse(value) : value
}

/** These change with the outcome; `outcome` itself is `pending` before. A test compares them with the guard of the log. */
export const outcomeColumns = ['outcome', 'status', 'details', 'created_id', 'rare_outcome', 'changed_at']

/** An entry as it was before its outcome. */
export function beforeOutcome(columns: Columns): Columns {
  if (columns.outcome === 'pending') return columns
  return { ...columns, ...Object.fromEntries(outcomeColumns.map((name) => [name, null])), outcome: 'pending' }
}

/**
 * SHA-256, in hex, over the version, the organization, the position, the hash before, and the name and value of each column that
 * is not null, by name. A column that is added later is null in older entries, and leaves their hashes as they are.
 */
export function hashLink({ organizationId, position, columns }: Linked, before: string): string {
  const stored = Object.keys(columns)
    .sort()
    .flatMap((name) => {
      const value = columns[name]
      return value === null || value === undefined ? [] : [name, value]
    })
  const fields = [version, organizationId, `${position}`, before, ...stored]
  return hash('sha256', fields.map(toNetstring).join(''), 'hex')
}

/** Its length in bytes comes first, so that no two lists of texts have the same bytes. */
function toNetstring(text: string): string {
  return `${Buffer.byteLength(text)}:${text},`
}
