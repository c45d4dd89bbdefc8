import { Prisma } from '../../database/generated/client.ts'
import {
  idStartsWith,
  nameHasPart,
  nameStartsWith,
  searchesParts,
  toPattern,
} from '../subscribers/subscriber-filter.ts'
import { type HitType, ranks } from './hit.ts'
import { hits } from './hit-columns.ts'

type PartSearch = { organizationId: string; part: string }

/** Members and service accounts beyond this number are found only by their ids. */
const maxAccountsRead = 10_000

/** Statements that look for a text in ids, keys and names, ignoring case. With a limit each reads a bounded number of rows. */
export const findByPart: Record<HitType, (search: PartSearch) => Prisma.Sql[]> = {
  subscriber: findSubscribers,
  feature: ({ organizationId, part }) => [
    Prisma.sql`
      select ${hits.feature}, ${rankOf('f.feature_key', 'f.name', part)} as rank, 0 as place
        from feature f
       where f.organization_id = ${organizationId} and ${hasPart(['f.feature_key', 'f.name'], part)}
       order by rank, f.feature_key`,
  ],
  plan: ({ organizationId, part }) => [
    Prisma.sql`
      select ${hits.plan}, ${rankOf('p.plan_key', 'p.name', part)} as rank, 0 as place
        from plan p
       where p.organization_id = ${organizationId} and ${hasPart(['p.plan_key', 'p.name'], part)}
       order by rank, p.plan_key`,
  ],
  member: ({ organizationId, part }) => [
    Prisma.sql`
      select ${hits.member}, ${rankOf('u.email', 'm.display_name', part)} as rank, 0 as place
        from (select * from member
               where organization_id = ${organizationId} and user_id is not null
               order by member_id limit ${maxAccountsRead}) m
        left join user_account u on u.user_id = m.user_id
       where ${hasPart(['u.email', 'm.display_name'], part)}
       order by rank, m.member_id`,
  ],
  service_account: ({ organizationId, part }) => [
    Prisma.sql`
      select ${hits.service_account}, ${rankOf('a.service_account_id', 'a.name', part)} as rank, 0 as place
        from (select * from service_account
               where organization_id = ${organizationId}
               order by service_account_id limit ${maxAccountsRead}) a
        join member m on m.organization_id = ${organizationId} and m.member_id = a.member_id
       where ${hasPart(['a.name'], part)}
       order by rank, a.service_account_id`,
  ],
  audit_event: () => [],
}

/** Finds the first subscribers in the order of each index, but any of those whose name has the part in its middle. */
function findSubscribers({ organizationId, part }: PartSearch): Prisma.Sql[] {
  const find = (rank: number, condition: Prisma.Sql, order: Prisma.Sql) => Prisma.sql`
    select ${hits.subscriber}, ${Prisma.raw(`${rank} as rank`)}, 0 as place
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

function hasPart(columns: string[], part: string): Prisma.Sql {
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
