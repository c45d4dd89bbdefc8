import { validationError } from '../../core/errors.ts'
import { overridesAt } from '../../database/current-override.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import type { Subscriber } from '../subscribers/subscriber.ts'

/*
 * SQL for the versions that were valid at a time. An index finds each row, however long ago the time is. A version is valid
 * from `valid_from` until just before `valid_to`.
 */

type OfSubscriber = { organizationId: string; subscriberId: string }

const sharedColumns =
  Prisma.raw(`organization_id, subscriber_id, feature_key, override_id, kind, allowed, "limit", value, expires_at, starts_at,
  note, set_by, created_at`)

/** SQL: the override at a time, live or not: the current row if the time is after its last change, otherwise a version. */
export function overrideAt({ organizationId, subscriberId }: OfSubscriber, feature: Prisma.Sql, at: Prisma.Sql) {
  const one = Prisma.sql`
    organization_id = ${organizationId} and subscriber_id = ${subscriberId} and feature_key = ${feature}`
  return Prisma.sql`
    select ${sharedColumns}, ends_at, expiry_marked, updated_at, null as ended_by
      from ${overridesAt(organizationId, at)} as override where ${one} and updated_at <= ${at}
     union all
    select ${sharedColumns}, null, false, valid_from, ended_by
      from (select * from override_version where ${one} and valid_to > ${at} order by valid_to limit 1) as ended_next
     where valid_from <= ${at}
     limit 1`
}

/** SQL: the plan's grant for the feature at a time. */
export function grantAt(organizationId: string, plan: Prisma.Sql, feature: Prisma.Sql, at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select * from (
      select * from plan_grant_version
       where organization_id = ${organizationId} and plan_key = ${plan} and feature_key = ${feature} and valid_from <= ${at}
       order by valid_from desc limit 1) as begun_last
     where valid_to > ${at}`
}

/** SQL: the plan of the subscription that was active at a time. */
export function planAt({ organizationId, subscriberId }: OfSubscriber, at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select plan_key from subscription
     where organization_id = ${organizationId} and subscriber_id = ${subscriberId}
       and created_at <= ${at} and (canceled_at is null or canceled_at > ${at})
     order by created_at desc, subscription_id desc limit 1`
}

/** SQL: the features that existed at a time. */
export function featuresAt(organizationId: string, at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select feature_key, kind, created_at from feature where organization_id = ${organizationId} and created_at <= ${at}
     union all
    select feature_key, kind, created_at from former_feature
     where organization_id = ${organizationId} and created_at <= ${at} and deleted_at > ${at}`
}

/** The time from which an object's history is complete: its creation, unless the versions begin later. */
export async function loadStartOfPast(
  db: Queries,
  { organizationId, createdAt }: { organizationId: string; createdAt: Date },
): Promise<Date> {
  const since = (await db.pastStart.findUnique({ where: { organizationId } }))?.since
  return since && since > createdAt ? since : createdAt
}

/** Throws 422 if the time is before the beginning of the subscriber's known past. */
export async function assertPastIsKnown(db: Queries, subscriber: Subscriber, at: Date): Promise<void> {
  const beginning = await loadStartOfPast(db, subscriber)
  if (at >= beginning) return
  const why =
    beginning > subscriber.createdAt
      ? "the organization's past is known completely only since then"
      : 'the subscriber was created then'
  throw validationError([{ path: 'at', message: `at must not be before ${beginning.toISOString()}: ${why}.` }])
}
