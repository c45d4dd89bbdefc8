import { Prisma } from '../../database/generated/client.ts'
import { indexedParams } from './audit-event.ts'

/** The index has the first 255 characters. A name that no route has has no entries. */
export function toParamCondition(name: string, value: string | Prisma.Sql): Prisma.Sql {
  const known = indexedParams.find((indexed) => indexed === name)
  if (known === undefined) return Prisma.raw('false')
  const column = Prisma.raw(`params ->> '${known}'`)
  return Prisma.sql`(left(${column}, 255) = left(${value}, 255) and ${column} = ${value})`
}
