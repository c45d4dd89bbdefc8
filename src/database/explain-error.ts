import pg from 'pg'
import { reasonOf } from '../core/startup-error.ts'

/**
 * Describes an error of PostgreSQL in one line without a full stop at the end: the message, the line in the SQL, the detail and
 * the hint.
 */
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

/** The number of the line that contains this position. PostgreSQL counts positions in characters, from 1. */
function lineAt(sql: string, position: number): number {
  return (
    Array.from(sql)
      .slice(0, position - 1)
      .filter((character) => character === '\n').length + 1
  )
}
