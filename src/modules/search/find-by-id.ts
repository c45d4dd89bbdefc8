import { Prisma } from '../../database/generated/client.ts'
import { type HitType, ranks } from './hit.ts'
import { hitColumns } from './hit-columns.ts'

/** The joins that find objects by complete ids and keys, each through an index. */
const joinsOf: Record<HitType, (organizationId: string) => Prisma.Sql[]> = {
  subscriber: (organizationId) => [
    Prisma.sql`join subscriber s on s.organization_id = ${organizationId} and s.subscriber_id = requested.word`,
    // The id of a subscription or an override finds its subscriber.
    Prisma.sql`
      join subscription x on x.organization_id = ${organizationId} and x.subscription_id = requested.word
      join subscriber s on s.organization_id = ${organizationId} and s.subscriber_id = x.subscriber_id`,
    Prisma.sql`
      join override o on o.organization_id = ${organizationId} and o.override_id = requested.word
      join subscriber s on s.organization_id = ${organizationId} and s.subscriber_id = o.subscriber_id`,
  ],
  feature: (organizationId) => [
    Prisma.sql`join feature f on f.organization_id = ${organizationId} and f.feature_key = requested.word`,
  ],
  plan: (organizationId) => [
    Prisma.sql`join plan p on p.organization_id = ${organizationId} and p.plan_key = requested.word`,
  ],
  member: (organizationId) =>
    ['member_id', 'user_id'].map(
      (column) => Prisma.sql`
        join member m on m.organization_id = ${organizationId} and m.${Prisma.raw(column)} = requested.word
                     and m.user_id is not null
        left join user_account u on u.user_id = m.user_id`,
    ),
  service_account: (organizationId) => {
    const member = Prisma.sql`join member m on m.organization_id = ${organizationId} and m.member_id = a.member_id`
    return [
      ...['service_account_id', 'member_id'].map(
        (column) => Prisma.sql`
          join service_account a on a.organization_id = ${organizationId} and a.${Prisma.raw(column)} = requested.word
          ${member}`,
      ),
      ...['key_id', 'key_prefix'].map(
        (column) => Prisma.sql`
          join api_key k on k.organization_id = ${organizationId} and k.${Prisma.raw(column)} = requested.word
          join service_account a on a.organization_id = ${organizationId} and a.service_account_id = k.service_account_id
          ${member}`,
      ),
    ]
  },
  audit_event: (organizationId) =>
    ['audit_event_id', 'request_id'].map(
      (column) => Prisma.sql`
        join audit_event e on e.organization_id = ${organizationId} and e.${Prisma.raw(column)} = requested.word`,
    ),
}

/** SQL: statements that find the objects with these ids or keys, in the order of the words. */
export function findById(
  type: HitType,
  organizationId: string,
  words: string[],
  rank: number = ranks.exact,
): Prisma.Sql[] {
  if (words.length === 0) return []
  return joinsOf[type](organizationId).map(
    (joins) => Prisma.sql`
      select ${hitColumns[type]}, ${Prisma.raw(`${rank} as rank, requested.ordinal::int as ordinal`)}
        from unnest(${words}::text[]) with ordinality as requested (word, ordinal) ${joins}
       order by requested.ordinal`,
  )
}
