import { Prisma } from '../../database/generated/client.ts'
import type { HitType } from './hit.ts'

/** The columns of a hit: its type, id, name and context. */
export const hitColumns: Record<HitType, Prisma.Sql> = {
  /** From `subscriber s`. The context is the plan. */
  subscriber: Prisma.raw(`'subscriber' as type, s.subscriber_id as id, s.name,
    (select active.plan_key from subscription active
      where active.organization_id = s.organization_id and active.subscriber_id = s.subscriber_id
        and active.status = 'active') as context`),
  /** From `feature f`. */
  feature: Prisma.raw(`'feature' as type, f.feature_key as id, f.name, f.kind::text as context`),
  /** From `plan p`. */
  plan: Prisma.raw(`'plan' as type, p.plan_key as id, p.name,
    p.kind || case when p.archived_at is null then '' else ', archived' end as context`),
  /** From `member m` and the `user_account u` of the person. */
  member: Prisma.raw(`'member' as type, m.member_id as id, m.display_name as name, u.email as context`),
  /** From `service_account a` and its `member m`. */
  service_account: Prisma.raw(`'service_account' as type, a.service_account_id as id, a.name, m.role::text as context`),
  /** From `audit_event e`. */
  audit_event: Prisma.raw(`'audit_event' as type, e.audit_event_id as id, e.method || ' ' || e.route as name,
    to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as context`),
}
