import { hash } from 'node:crypto'

/** The hash before the first link. */
export const genesis = '0'.repeat(64)

/** Of the form of the hashed bytes: another form gets another tag. */
const version = 'entitlements-audit-v1'

/** The columns of an entry by name, each as the text of its stored value. */
export type Columns = Readonly<Record<string, string | null>>

/** What a link's hash covers, besides the hash before. */
export type Linked = { organizationId: string; position: number; columns: Columns }

/** SQL: all columns of the row `entry`. The connection's time zone must be UTC. A new column is not forgotten. */
export const columnsOf = (entry: string) =>
  `(select json_object_agg(key, value) from json_each_text(row_to_json(${entry})))`

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
