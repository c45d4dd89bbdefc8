import { Prisma } from '../../database/generated/client.ts'
import { toStoredParam } from '../../recording/stored-text.ts'
import { indexedParams } from './audit-event.ts'

/**
 * SQL: whether an entry has this path value. The index contains the first 255 characters. No entry matches a name that occurs
 * in no route. A value that is too long for the log is truncated in the same way as in the log, so it matches all values with
 * the same beginning.
 */
export function toParamCondition(
  name: string,
  value: string | Prisma.Sql,
  names: readonly string[] = indexedParams,
): Prisma.Sql {
  const knownName = names.find((indexed) => indexed === name)
  if (knownName === undefined) return Prisma.raw('false')
  const column = Prisma.raw(`params ->> '${knownName}'`)
  const stored = typeof value === 'string' ? toStoredParam(value) : value
  return Prisma.sql`(left(${column}, 255) = left(${stored}, 255) and ${column} = ${stored})`
}
