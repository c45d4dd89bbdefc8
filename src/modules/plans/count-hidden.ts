import { type Count, maxCounted, toCount } from '../../core/count.ts'
import type { ReadScope } from '../../operation/operation.ts'
import { liveOverridesOf } from '../overrides/count-overrides.ts'

/** The overrides that one request looks at, of all features together. */
const maxLookedAt = 10_000

type Asked = { planKey: string; subscribers: Count; features: readonly string[] }
type Counted = { feature: string; hidden: number; looked: number }

/**
 * How many of the plan's subscribers have a live override, by feature. Exact while that takes a bounded time: it looks up every
 * subscriber of a plan that has few, or else the first overrides of each feature. At least so many when there are more.
 */
export async function loadHidden(
  scope: Pick<ReadScope, 'db' | 'organizationId' | 'now'>,
  asked: Asked,
): Promise<Map<string, Count>> {
  const { subscribers, features } = asked
  if (features.length === 0) return new Map()
  const most = Math.ceil(maxLookedAt / features.length)
  const isSmall = subscribers.isExact && subscribers.value <= most
  const counted = isSmall ? await countBySubscriber(scope, asked) : await countByOverride(scope, asked, most)
  return new Map(counted.map(({ feature, hidden, looked }) => [feature, toHiddenCount(hidden, looked <= most)]))
}

function toHiddenCount(hidden: number, isExact: boolean): Count {
  return isExact ? toCount(hidden) : { value: Math.min(hidden, maxCounted), isExact: false }
}

/* "limit 1" makes the planner look up one row after the other: it would read whole indexes for a few of their rows. */

function countBySubscriber(
  { db, organizationId, now }: Pick<ReadScope, 'db' | 'organizationId' | 'now'>,
  { planKey, features }: Asked,
): Promise<Counted[]> {
  return db.$queryRaw`
    select asked.feature, count(o.subscriber_id)::int as hidden, 0 as looked
      from unnest(${features}::text[]) as asked (feature)
      left join subscription s
        on s.organization_id = ${organizationId} and s.plan_key = ${planKey} and s.status = 'active'
      left join lateral (
        select subscriber_id from override
         where organization_id = ${organizationId} and subscriber_id = s.subscriber_id and feature_key = asked.feature
           and coalesce(expires_at, 'infinity'::timestamptz) > ${now.toISOString()}::timestamptz limit 1) o on true
     group by asked.feature`
}

function countByOverride(
  { db, organizationId, now }: Pick<ReadScope, 'db' | 'organizationId' | 'now'>,
  { planKey, features }: Asked,
  most: number,
): Promise<Counted[]> {
  return db.$queryRaw`
    select asked.feature, counted.hidden, counted.looked
      from unnest(${features}::text[]) as asked (feature)
     cross join lateral (
       select count(s.subscriber_id)::int as hidden, count(*)::int as looked
         from (select subscriber_id from (${liveOverridesOf('asked.feature', { organizationId, now })}) live
                limit ${most + 1}) o
         left join lateral (
           select subscriber_id from subscription
            where organization_id = ${organizationId} and subscriber_id = o.subscriber_id
              and plan_key = ${planKey} and status = 'active' limit 1) s on true) counted`
}
