import { Prisma } from '../../database/generated/client.ts'
import type { HitType } from './hit.ts'
import { hitColumns } from './hit-columns.ts'

/** Types of which an organization has at most a few thousand objects: the search reads all rows and compares their names. */
type NamedType = Exclude<HitType, 'subscriber' | 'audit_event'>

type NamedRowsQuery = {
  /** The SQL from `from` to the condition on the organization. */
  from(organizationId: string): Prisma.Sql
  id: string
  name: string
  /** The columns in which a part is searched. */
  searched: readonly string[]
  order: string
}

/** The maximum number of members and of service accounts that are searched by name. Others are found only by their ids. */
const maxAccountsRead = 10_000

const namedRows: Record<NamedType, NamedRowsQuery> = {
  feature: {
    from: (organizationId) => Prisma.sql`from feature f where f.organization_id = ${organizationId}`,
    id: 'f.feature_key',
    name: 'f.name',
    searched: ['f.feature_key', 'f.name'],
    order: 'f.feature_key',
  },
  plan: {
    from: (organizationId) => Prisma.sql`from plan p where p.organization_id = ${organizationId}`,
    id: 'p.plan_key',
    name: 'p.name',
    searched: ['p.plan_key', 'p.name'],
    order: 'p.plan_key',
  },
  member: {
    from: (organizationId) => Prisma.sql`
      from (select * from member
             where organization_id = ${organizationId} and user_id is not null
             order by member_id limit ${maxAccountsRead}) m
      left join user_account u on u.user_id = m.user_id
     where m.organization_id = ${organizationId}`,
    id: 'u.email',
    name: 'm.display_name',
    searched: ['u.email', 'm.display_name'],
    order: 'm.member_id',
  },
  service_account: {
    from: (organizationId) => Prisma.sql`
      from (select * from service_account
             where organization_id = ${organizationId}
             order by service_account_id limit ${maxAccountsRead}) a
      join member m on m.organization_id = ${organizationId} and m.member_id = a.member_id
     where a.organization_id = ${organizationId}`,
    id: 'a.service_account_id',
    name: 'a.name',
    searched: ['a.name'],
    order: 'a.service_account_id',
  },
}

/** SQL: a statement that finds rows of this type by a condition, ordered by a computed rank. */
export function findRowsByName(
  type: NamedType,
  organizationId: string,
  conditionAndRank: (columns: NamedRowsQuery) => { condition: Prisma.Sql; rank: Prisma.Sql },
): Prisma.Sql {
  const columns = namedRows[type]
  const { condition, rank } = conditionAndRank(columns)
  return Prisma.sql`
    select ${hitColumns[type]}, ${rank} as rank, 0 as ordinal ${columns.from(organizationId)} and ${condition}
     order by rank, ${Prisma.raw(columns.order)}`
}
