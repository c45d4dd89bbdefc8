import type { PageInput } from '../../core/pagination.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import type { Subscriber } from './subscriber.ts'
import { conditionsOfSearch } from './subscriber-filter.ts'

type Filter = {
  search?: string | undefined
  plan_id?: string | undefined
  without_plan?: boolean | undefined
}

/** A search that finds more than these is answered in the order of ids, row by row: it finds a page of them soon. */
const maxCandidates = 10_000

/** The subscribers that fit, in the order of ids: one more than the page has, if there are more. */
export async function findSubscribers(
  db: Queries,
  organizationId: string,
  filter: Filter & PageInput,
): Promise<Subscriber[]> {
  const { search, plan_id: planId, without_plan: withoutPlan, starting_after: after, limit } = filter
  if (planId !== undefined && withoutPlan === true) return []
  const conditions = [Prisma.sql`s.organization_id = ${organizationId}`]
  if (search !== undefined) conditions.push(await toSearchCondition(db, organizationId, search))
  if (after !== undefined) conditions.push(Prisma.sql`s.subscriber_id > ${after}`)
  if (planId === undefined && withoutPlan !== undefined) conditions.push(toPlanCondition(organizationId, withoutPlan))
  const subscribed = Prisma.sql`join subscription a
      on a.organization_id = ${organizationId} and a.subscriber_id = s.subscriber_id
     and a.plan_key = ${planId} and a.status = 'active'`
  return db.$queryRaw<Subscriber[]>`
    select s.organization_id as "organizationId", s.subscriber_id as id, s.name,
           s.created_at as "createdAt", s.updated_at as "updatedAt"
      from subscriber s ${planId === undefined ? Prisma.empty : subscribed}
     where ${Prisma.join(conditions, ' and ')}
     order by s.subscriber_id
     limit ${limit + 1}`
}

function toPlanCondition(organizationId: string, withoutPlan: boolean): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(withoutPlan ? 'not exists' : 'exists')} (
    select from subscription a
     where a.organization_id = ${organizationId} and a.subscriber_id = s.subscriber_id and a.status = 'active')`
}

/**
 * Few matches are found by the indexes of the search, which are in no order of ids; many by walking along the ids. "is true"
 * keeps the planner from using the indexes of the search for many.
 */
async function toSearchCondition(db: Queries, organizationId: string, search: string): Promise<Prisma.Sql> {
  const ids = await findCandidates(db, organizationId, { search, most: maxCandidates + 1 })
  if (ids.length <= maxCandidates) return Prisma.sql`s.subscriber_id = any(${ids}::text[])`
  return Prisma.sql`(${Prisma.join(conditionsOfSearch(search), ' or ')}) is true`
}

type Asked = { search: string; most: number }

/** Ids that fit the search, in any order: all of them if they are fewer than `most`. */
export async function findCandidates(db: Queries, organizationId: string, { search, most }: Asked): Promise<string[]> {
  const selects = conditionsOfSearch(search).map(
    (condition) => Prisma.sql`
      (select s.subscriber_id as id from subscriber s
        where s.organization_id = ${organizationId} and ${condition} limit ${most})`,
  )
  const rows = await db.$queryRaw<{ id: string }[]>`${Prisma.join(selects, ' union ')} limit ${most}`
  return rows.map(({ id }) => id)
}
