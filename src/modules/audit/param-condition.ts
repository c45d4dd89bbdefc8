import { Prisma } from '../../database/generated/client.ts'
import { toStoredParam } from '../../recording/stored-text.ts'
import { indexedParams } from './audit-event.ts'

/**
 * The index contains the first 255 characters. A name that occurs in no route finds no entries. A value that is too long for
 * the log is compared as the log stores it, so it finds the entries of all paths that begin in the same way.
 */
export function toParamCondition(
  name: string,
  value: string | Prisma.Sql,
  names: readonly string[] = indexedParams,
): Prisma.Sql {
  const known = names.find((indexed) => indexed === name)
  if (known === undefined) return Prisma.raw('false')
  const column = Prisma.raw(`params ->> '${known}'`)
  const stored = typeof value === 'string' ? toStoredParam(value) : value
  return Prisma.sql`(left(${column}, 255) = left(${stored}, 255) and ${column} = ${stored})`
}
