import { type Count, maxCounted, toCount } from '../../core/count.ts'
import { isLiveAt, overridesAt } from '../../database/current-override.ts'
import type { ReadScope } from '../../operation/operation.ts'
import { liveOverridesOf } from '../overrides/count-overrides.ts'

/** The maximum number of overrides that a request checks, for all features together. */
const maxOverridesChecked = 10_000

type Scope = Pick<ReadScope, 'db' | 'organizationId' | 'now'>
type GrantChange = { planKey: string; subscribers: Count; features: readonly string[] }
type HiddenCount = { feature: string; hidden: number; isExact: boolean }

/**
 * Counts the plan's subscribers with a live override, by feature, in a bounded time. If the plan has few subscribers, it looks
 * up each one. Otherwise it checks the first overrides of each feature, and the count is a minimum if there are more.
 */
export async function loadHiddenGrantCounts(scope: Scope, change: GrantChange): Promise<Map<string, Count>> {
  const { subscribers, features } = change
  if (features.length === 0) return new Map()
  const max = Math.ceil(maxOverridesChecked / features.length)
  const isSmall = subscribers.isExact && subscribers.value <= max
  const counted = isSmall ? await countBySubscriber(scope, change) : await countByOverride(scope, change, max)
  return new Map(counted.map(({ feature, hidden, isExact }) => [feature, toHiddenCount(hidden, isExact)]))
}

function toHiddenCount(hidden: number, isExact: boolean): Count {
  return isExact ? toCount(hidden) : { value: Math.min(hidden, maxCounted), isExact: false }
}

/*
 * Each of the two functions below first selects ids from one table, and then looks up these ids in the other table. So each
 * statement reads a bounded part of an index, however poor PostgreSQL's statistics are. In a join, it might read the whole plan
 * for each override.
 */

async function countBySubscriber(
  { db, organizationId, now }: Scope,
  { planKey, subscribers, features }: GrantChange,
): Promise<HiddenCount[]> {
  const ids = await db.$queryRaw<{ id: string }[]>`
    select subscriber_id as id from subscription
     where organization_id = ${organizationId} and plan_key = ${planKey} and status = 'active'
     limit ${subscribers.value}`
  const counted = await db.$queryRaw<{ feature: string; hidden: number }[]>`
    select feature_key as feature, count(*)::int as hidden from ${overridesAt(organizationId, now)} as override
     where feature_key = any(${features}) and subscriber_id = any(${ids.map(({ id }) => id)})
       and ${isLiveAt(now)}
     group by feature_key`
  const hiddenOf = new Map(counted.map(({ feature, hidden }) => [feature, hidden]))
  return features.map((feature) => ({ feature, hidden: hiddenOf.get(feature) ?? 0, isExact: true }))
}

async function countByOverride(
  { db, organizationId, now }: Scope,
  { planKey, features }: GrantChange,
  max: number,
): Promise<HiddenCount[]> {
  const overridden = await db.$queryRaw<{ feature: string; ids: string[] }[]>`
    select requested.feature, array(
             select subscriber_id from (${liveOverridesOf('requested.feature', { organizationId, now })}) live
              limit ${max + 1}) as ids
      from unnest(${features}::text[]) as requested (feature)`
  const found = await db.$queryRaw<{ id: string }[]>`
    select subscriber_id as id from subscription
     where organization_id = ${organizationId} and plan_key = ${planKey} and status = 'active'
       and subscriber_id = any(${[...new Set(overridden.flatMap(({ ids }) => ids))]})`
  const onPlan = new Set(found.map(({ id }) => id))
  return overridden.map(({ feature, ids }) => {
    return { feature, hidden: ids.filter((id) => onPlan.has(id)).length, isExact: ids.length <= max }
  })
}
