import { type Count, maxCounted, toCount } from '../../core/count.ts'
import type { ReadScope } from '../../operation/operation.ts'
import { liveOverridesOf } from '../overrides/count-overrides.ts'

/** The overrides that one request looks at, of all features together. */
const maxLookedAt = 10_000

type Scope = Pick<ReadScope, 'db' | 'organizationId' | 'now'>
type Asked = { planKey: string; subscribers: Count; features: readonly string[] }
type Counted = { feature: string; hidden: number; isExact: boolean }

/**
 * How many of the plan's subscribers have a live override, by feature. Exact while that takes a bounded time: it looks up every
 * subscriber of a plan that has few, or else the first overrides of each feature. At least so many when there are more.
 */
export async function loadHidden(scope: Scope, asked: Asked): Promise<Map<string, Count>> {
  const { subscribers, features } = asked
  if (features.length === 0) return new Map()
  const most = Math.ceil(maxLookedAt / features.length)
  const isSmall = subscribers.isExact && subscribers.value <= most
  const counted = isSmall ? await countBySubscriber(scope, asked) : await countByOverride(scope, asked, most)
  return new Map(counted.map(({ feature, hidden, isExact }) => [feature, toHiddenCount(hidden, isExact)]))
}

function toHiddenCount(hidden: number, isExact: boolean): Count {
  return isExact ? toCount(hidden) : { value: Math.min(hidden, maxCounted), isExact: false }
}

/*
 * Both ask for the ids of one side first, and then for the other side with these ids: each is a bounded part of an index, however
 * little PostgreSQL knows of the organization. In a join it may choose to read all of the plan for each override.
 */

async function countBySubscriber(
  { db, organizationId, now }: Scope,
  { planKey, subscribers, features }: Asked,
): Promise<Counted[]> {
  const ids = await db.$queryRaw<{ id: string }[]>`
    select subscriber_id as id from subscription
     where organization_id = ${organizationId} and plan_key = ${planKey} and status = 'active'
     limit ${subscribers.value}`
  const counted = await db.$queryRaw<{ feature: string; hidden: number }[]>`
    select feature_key as feature, count(*)::int as hidden from override
     where organization_id = ${organizationId} and feature_key = any(${features}) and subscriber_id = any(${ids.map(({ id }) => id)})
       and coalesce(expires_at, 'infinity'::timestamptz) > ${now.toISOString()}::timestamptz
     group by feature_key`
  const hiddenOf = new Map(counted.map(({ feature, hidden }) => [feature, hidden]))
  return features.map((feature) => ({ feature, hidden: hiddenOf.get(feature) ?? 0, isExact: true }))
}

async function countByOverride(
  { db, organizationId, now }: Scope,
  { planKey, features }: Asked,
  most: number,
): Promise<Counted[]> {
  const looked = await db.$queryRaw<{ feature: string; ids: string[] }[]>`
    select asked.feature, array(
             select subscriber_id from (${liveOverridesOf('asked.feature', { organizationId, now })}) live
              limit ${most + 1}) as ids
      from unnest(${features}::text[]) as asked (feature)`
  const found = await db.$queryRaw<{ id: string }[]>`
    select subscriber_id as id from subscription
     where organization_id = ${organizationId} and plan_key = ${planKey} and status = 'active'
       and subscriber_id = any(${[...new Set(looked.flatMap(({ ids }) => ids))]})`
  const onPlan = new Set(found.map(({ id }) => id))
  return looked.map(({ feature, ids }) => {
    return { feature, hidden: ids.filter((id) => onPlan.has(id)).length, isExact: ids.length <= most }
  })
}
