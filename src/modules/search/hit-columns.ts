import { Prisma } from '../../database/generated/client.ts'

/* The columns of a hit: its type, id, name and context. */

/** From `subscriber s`. The context is the plan. */
export const subscriberHit = Prisma.raw(`'subscriber' as type, s.subscriber_id as id, s.name,
  (select active.plan_key from subscription active
    where active.organization_id = s.organization_id and active.subscriber_id = s.subscriber_id
      and active.status = 'active') as context`)

/** From `feature f`. */
export const featureHit = Prisma.raw(`'feature' as type, f.feature_key as id, f.name, f.kind::text as context`)

/** From `plan p`. */
export const planHit = Prisma.raw(`'plan' as type, p.plan_key as id, p.name, p.kind as context`)

/** From `member m` and the `user_account u` of the person. */
export const memberHit = Prisma.raw(`'member' as type, m.member_id as id, m.display_name as name, u.email as context`)

/** From `service_account a` and its `member m`. */
export const serviceAccountHit = Prisma.raw(
  `'service_account' as type, a.service_account_id as id, a.name, m.role::text as context`,
)

/** From `audit_event e`. */
export const auditEventHit =
  Prisma.raw(`'audit_event' as type, e.audit_event_id as id, e.method || ' ' || e.route as name,
  to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as context`)
