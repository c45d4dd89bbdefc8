import { Prisma } from '../../database/generated/client.ts'
import {
  idStartsWith,
  nameHasPart,
  nameStartsWith,
  searchesParts,
  toPattern,
} from '../subscribers/subscriber-filter.ts'
import { type HitType, ranks } from './hit.ts'
import { hitColumns } from './hit-columns.ts'
import { findRowsByName } from './named-rows.ts'

/**
 * SQL: statements that find a text in ids, keys and names, ignoring case. With a limit, each reads a bounded number of rows.
 */
export function findByPart(type: HitType, organizationId: string, part: string): Prisma.Sql[] {
  if (type === 'audit_event') return []
  if (type === 'subscriber') return findSubscribers(organizationId, part)
  return [
    findRowsByName(type, organizationId, ({ id, name, searched }) => ({
      condition: hasPart(searched, part),
      rank: rankOf(id, name, part),
    })),
  ]
}

/**
 * Finds the first subscribers in the order of each index. Subscribers that only contain the part, and do not start with it,
 * come in no particular order.
 */
function findSubscribers(organizationId: string, part: string): Prisma.Sql[] {
  const find = (rank: number, condition: Prisma.Sql, order: Prisma.Sql) => Prisma.sql`
    select ${hitColumns.subscriber}, ${Prisma.raw(`${rank} as rank`)}, 0 as ordinal
      from subscriber s
     where s.organization_id = ${organizationId} and ${condition} ${order}`
  const byId = idStartsWith(part)
  const byName = nameStartsWith(part)
  return [
    find(ranks.startOfId, byId.condition, Prisma.sql`order by ${byId.order}`),
    find(ranks.startOfName, byName.condition, Prisma.sql`order by ${byName.order}`),
    ...(searchesParts(part) ? [find(ranks.part, nameHasPart(part), Prisma.empty)] : []),
  ]
}

function hasPart(columns: readonly string[], part: string): Prisma.Sql {
  const conditions = columns.map(
    (column) => Prisma.sql`lower(${Prisma.raw(column)}) like lower(${`%${toPattern(part)}%`}::text)`,
  )
  return Prisma.sql`(${Prisma.join(conditions, ' or ')})`
}

function rankOf(id: string, name: string, part: string): Prisma.Sql {
  const start = Prisma.sql`lower(${`${toPattern(part)}%`}::text)`
  return Prisma.sql`case when lower(${Prisma.raw(id)}) like ${start} then ${Prisma.raw(`${ranks.startOfId}`)}
    when lower(${Prisma.raw(name)}) like ${start} then ${Prisma.raw(`${ranks.startOfName}`)}
    else ${Prisma.raw(`${ranks.part}`)} end`
}
