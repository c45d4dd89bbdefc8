import { Prisma } from '../../database/generated/client.ts'
import { type HitType, ranks } from './hit.ts'
import { auditEventHit, featureHit, memberHit, planHit, serviceAccountHit, subscriberHit } from './hit-columns.ts'

/** Statements that find what whole ids and keys belong to, in the order of the words; each by an index. */
export const findById: Record<HitType, (organizationId: string, words: string[]) => Prisma.Sql[]> = {
  subscriber: (organizationId, words) => [
    Prisma.sql`
      select ${subscriberHit}, ${at}
        from ${asked(words)} join subscriber s on s.organization_id = ${organizationId} and s.subscriber_id = asked.word
       order by asked.place`,
    // Of its subscriptions and overrides too.
    Prisma.sql`
      select ${subscriberHit}, ${at}
        from ${asked(words)}
        join subscription x on x.organization_id = ${organizationId} and x.subscription_id = asked.word
        join subscriber s on s.organization_id = ${organizationId} and s.subscriber_id = x.subscriber_id
       order by asked.place`,
    Prisma.sql`
      select ${subscriberHit}, ${at}
        from ${asked(words)}
        join override o on o.organization_id = ${organizationId} and o.override_id = asked.word
        join subscriber s on s.organization_id = ${organizationId} and s.subscriber_id = o.subscriber_id
       order by asked.place`,
  ],
  feature: (organizationId, words) => [
    Prisma.sql`
      select ${featureHit}, ${at}
        from ${asked(words)} join feature f on f.organization_id = ${organizationId} and f.feature_key = asked.word
       order by asked.place`,
  ],
  plan: (organizationId, words) => [
    Prisma.sql`
      select ${planHit}, ${at}
        from ${asked(words)} join plan p on p.organization_id = ${organizationId} and p.plan_key = asked.word
       order by asked.place`,
  ],
  member: (organizationId, words) => [
    Prisma.sql`
      select ${memberHit}, ${at}
        from ${asked(words)}
        join member m on m.organization_id = ${organizationId} and m.member_id = asked.word and m.user_id is not null
        left join user_account u on u.user_id = m.user_id
       order by asked.place`,
    Prisma.sql`
      select ${memberHit}, ${at}
        from ${asked(words)}
        join member m on m.organization_id = ${organizationId} and m.user_id = asked.word and m.user_id is not null
        left join user_account u on u.user_id = m.user_id
       order by asked.place`,
  ],
  service_account: (organizationId, words) => [
    Prisma.sql`
      select ${serviceAccountHit}, ${at}
        from ${asked(words)}
        join service_account a on a.organization_id = ${organizationId} and a.service_account_id = asked.word
        join member m on m.organization_id = ${organizationId} and m.member_id = a.member_id
       order by asked.place`,
    Prisma.sql`
      select ${serviceAccountHit}, ${at}
        from ${asked(words)}
        join service_account a on a.organization_id = ${organizationId} and a.member_id = asked.word
        join member m on m.organization_id = ${organizationId} and m.member_id = a.member_id
       order by asked.place`,
    ...['key_id', 'key_prefix'].map(
      (column) => Prisma.sql`
        select ${serviceAccountHit}, ${at}
          from ${asked(words)}
          join api_key k on k.organization_id = ${organizationId} and k.${Prisma.raw(column)} = asked.word
          join service_account a on a.organization_id = ${organizationId} and a.service_account_id = k.service_account_id
          join member m on m.organization_id = ${organizationId} and m.member_id = a.member_id
       order by asked.place`,
    ),
  ],
  audit_event: (organizationId, words) =>
    ['audit_event_id', 'request_id'].map(
      (column) => Prisma.sql`
        select ${auditEventHit}, ${at}
          from ${asked(words)}
          join audit_event e on e.organization_id = ${organizationId} and e.${Prisma.raw(column)} = asked.word
       order by asked.place`,
    ),
}

const at = Prisma.raw(`${ranks.exact} as rank, asked.place::int as place`)

function asked(words: string[]): Prisma.Sql {
  return Prisma.sql`unnest(${words}::text[]) with ordinality as asked (word, place)`
}
