import type { PageInput } from '../../core/pagination.ts'
import { isLiveAt, overridesAt } from '../../database/current-override.ts'
import { Prisma } from '../../database/generated/client.ts'
import { query, viaPrisma } from '../../database/sql.ts'
import { columnsOf, subscriberTable } from '../../database/table.ts'
import type { ReadScope } from '../../operation/operation.ts'
import type { Subscriber } from './subscriber.ts'
import { conditionsOfSearch, conditionsOfText } from './subscriber-filter.ts'

type Filter = {
  search?: string | undefined
  text?: string | undefined
  plan_id?: string | undefined
  without_plan?: boolean | undefined
  with_override_of?: string | undefined
  without_override_of?: readonly string[] | undefined
}

type Scope = Pick<ReadScope, 'db' | 'organizationId' | 'now'>

/** A search first reads this many subscribers in the order of ids. If many of them match, they fill the page. */
const maxScanned = 5_000

/** Finds matching subscribers, in the order of ids. Returns limit + 1 rows if there is a next page. */
export async function findSubscribers(scope: Scope, filter: Filter & PageInput): Promise<Subscriber[]> {
  const { organizationId } = scope
  const { search, text, plan_id: planId, without_plan: withoutPlan } = filter
  if (planId !== undefined && withoutPlan === true) return []
  const [conditions, ...others] = [
    ...(text === undefined ? [] : [conditionsOfText(text)]),
    ...(search === undefined ? [] : [conditionsOfSearch(search)]),
  ]
  if (conditions === undefined) return select(scope, filter, allSubscribers)

  const scanned = await select(scope, filter, {
    from: firstSubscribers(organizationId, filter.starting_after),
    conditions: [conditions, ...others].map(isAnyTrue),
  })
  if (scanned.length > filter.limit) return scanned
  // Few subscribers match, or they are at the end of the order: find them by the search indexes, unordered.
  return select(scope, filter, {
    from: matchingSubscribers(organizationId, conditions, filter.starting_after),
    conditions: others.map(isAnyTrue),
  })
}

/** SQL: whether any of the conditions is true. The words `is true` keep the planner from using the search indexes. */
function isAnyTrue(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.sql`(${Prisma.join(conditions, ' or ')}) is true`
}

type SubscriberSource = { from: Prisma.Sql; conditions: readonly Prisma.Sql[] }

const allSubscribers: SubscriberSource = { from: Prisma.raw('subscriber'), conditions: [] }

function firstSubscribers(organizationId: string, after: string | undefined): Prisma.Sql {
  return Prisma.sql`(
    select * from subscriber where organization_id = ${organizationId} and subscriber_id > ${after ?? ''}
     order by subscriber_id limit ${maxScanned})`
}

/**
 * SQL: the subscribers that match a condition, each once. Without `offset 0`, the planner would scan the ids instead of sorting
 * the rows that indexes find.
 */
function matchingSubscribers(
  organizationId: string,
  conditions: readonly Prisma.Sql[],
  after: string | undefined,
): Prisma.Sql {
  const selects = conditions.map((condition, index) => {
    const others = conditions.slice(0, index).map((earlier) => Prisma.sql`and (${earlier}) is not true`)
    return Prisma.sql`
      select s.* from subscriber s
       where s.organization_id = ${organizationId} and s.subscriber_id > ${after ?? ''}
         and ${condition} ${others.length > 0 ? Prisma.join(others, ' ') : Prisma.empty}`
  })
  return Prisma.sql`(${Prisma.join(selects, ' union all ')} offset 0)`
}

function select(
  { db, organizationId, now }: Scope,
  filter: Filter & PageInput,
  { from, conditions: searchConditions }: SubscriberSource,
): Promise<Subscriber[]> {
  const { plan_id: planId, without_plan: withoutPlan, with_override_of: feature, starting_after: after, limit } = filter
  // The start of the page is repeated for each table, because the planner does not infer it from another table.
  const conditions = [Prisma.sql`s.organization_id = ${organizationId}`, ...searchConditions]
  if (after !== undefined) conditions.push(Prisma.sql`s.subscriber_id > ${after}`)
  if (planId === undefined && withoutPlan !== undefined) {
    conditions.push(toPlanCondition(organizationId, withoutPlan, after))
  }
  if (filter.without_override_of) {
    conditions.push(hasNoOverrideOf(filter.without_override_of, { organizationId, now }))
  }
  const subscribed = Prisma.sql`join subscription a
      on a.organization_id = ${organizationId} and a.subscriber_id = s.subscriber_id
     and a.plan_key = ${planId} and a.status = 'active' and a.subscriber_id > ${after ?? ''}`
  const overridden = Prisma.sql`join ${overridesAt(organizationId, now)} o
      on o.subscriber_id = s.subscriber_id and o.feature_key = ${feature} and ${isLiveAt(now, 'o.')} and o.subscriber_id > ${after ?? ''}`
  return viaPrisma(db).query(query`
    select ${columns}
      from ${from} s
           ${planId === undefined ? Prisma.empty : subscribed}
           ${feature === undefined ? Prisma.empty : overridden}
     where ${Prisma.join(conditions, ' and ')}
     order by s.subscriber_id
     limit ${limit + 1}`)
}

const columns = columnsOf(subscriberTable, 's')

function toPlanCondition(organizationId: string, withoutPlan: boolean, after = ''): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(withoutPlan ? 'not exists' : 'exists')} (
    select from subscription a
     where a.organization_id = ${organizationId} and a.subscriber_id = s.subscriber_id and a.status = 'active'
       and a.subscriber_id > ${after})`
}

/**
 * SQL: whether the subscriber has no live override of these features. Because of `offset 0`, PostgreSQL looks up the overrides
 * of each subscriber, and never reads all overrides of a feature.
 */
function hasNoOverrideOf(features: readonly string[], { organizationId, now }: Pick<Scope, 'organizationId' | 'now'>) {
  return Prisma.sql`not exists (
    select from ${overridesAt(organizationId, now)} o
     where o.subscriber_id = s.subscriber_id and o.feature_key = any(${features}::text[])
       and ${isLiveAt(now, 'o.')} offset 0)`
}
