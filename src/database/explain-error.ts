import pg from 'pg'
import { reasonOf } from '../core/startup-error.ts'

/** PostgreSQL's message, the line in the SQL, the detail and the hint, in one line without a full stop at the end. */
export function explainDatabaseError(error: unknown, sql?: string): string {
  if (!(error instanceof pg.DatabaseError)) return reasonOf(error)
  const { severity = 'ERROR', message, position, detail, hint } = error
  const line = sql && position ? ` (line ${lineAt(sql, Number(position))} of the file)` : ''
  const rest = [detail && `Detail: ${detail}`, hint && `Hint: ${hint}`].filter(
    (part) => part !== undefined && part !== '',
  )
  const sentences = [`${severity}: ${message}${line}`, ...rest].map((part) => String(part).replace(/\.$/, ''))
  return sentences
    .join('. ')
    .split('\n')
    .map((part) => part.trim())
    .join(' ')
}

/** The number of the line with this position, which PostgreSQL counts in characters from 1. */
function lineAt(sql: string, position: number): number {
  return (
    Array.from(sql)
      .slice(0, position - 1)
      .filter((character) => character === '\n').length + 1
  )
}
