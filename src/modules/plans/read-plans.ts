import { z } from 'zod'
import { requireFound } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import { keyPattern } from '../../core/fields.ts'
import { defineInput, noInput } from '../../core/input.ts'
import { Prisma } from '../../database/generated/client.ts'
import { loadWithinByteLimit } from '../../database/load-within-byte-limit.ts'
import { combineColumns, computedColumns, query } from '../../database/sql.ts'
import { columnsOf, grantTable, planTable } from '../../database/table.ts'
import { allColumns, defineRead, type ReadScope } from '../../operation/operation.ts'
import { loadPlan, type Plan, type PlanGrant, type PlanOutput, planAnswer, plansAnswer } from './plan.ts'

export const listPlans = defineRead({
  name: 'plans',
  summary: 'List the plans, newest first; archived ones only on request.',
  route: '/org/plans',
  service: 'api',
  labels: ['plans:read'],
  input: defineInput(
    {
      include_archived: note(z.boolean().default(false).describe('true, false, 1 or 0'), {
        meaning: 'Whether archived plans are listed too.',
        takesDigits: true,
      }),
    },
    { unknown: 'reject', term: 'query parameter' },
  ),
  answer: plansAnswer,
  run: ({ readRows, organizationId, input: { include_archived: includeArchived } }): Promise<PlanOutput[]> =>
    readRows(query`
      ${plansWithGrants(organizationId)} and (${includeArchived} or archived_at is null)
       order by created_at desc, plan_key`),
  runWithoutParts: ({ db, organizationId, input }) =>
    db.plan.findMany({
      where: { organizationId, ...(!input.include_archived && { archivedAt: null }) },
      orderBy: [{ createdAt: 'desc' }, { key: 'asc' }],
    }),
})

/** Reads the grants as text: an organization can have half a million grants, which took 400 MB and 9 s as rows. */
function plansWithGrants(organizationId: string) {
  return query`
    select ${combineColumns(columnsOf(planTable, 'p'), computedColumns({ grantsJson: ['text', grantsAsJson] }))} from plan p
     where organization_id = ${organizationId}`
}

const grantsAsJson = Prisma.sql`
  '{' || coalesce((
    select string_agg(to_json(g.feature_key)::text || ':{"kind":"' || g.kind || '"'
             || case g.kind when 'limit' then ',"limit":' || coalesce(g."limit"::text, 'null')
                            when 'config' then ',"value":' || g.value
                            else '' end || '}', ',' order by g.feature_key)
      from plan_grant g
     where g.organization_id = p.organization_id and g.plan_key = p.plan_key), '') || '}'`

export const readPlan = defineRead({
  name: 'plan',
  summary: 'Read a plan.',
  route: '/org/plans/{key}',
  service: 'api',
  labels: ['plans:read'],
  input: noInput,
  answer: planAnswer,
  async run({ readRows, organizationId, path: { key } }): Promise<PlanOutput> {
    const [plan] = keyPattern.test(key)
      ? await readRows(query`${plansWithGrants(organizationId)} and plan_key = ${key}`)
      : []
    return requireFound('plan', key, plan)
  },
  runWithoutParts: ({ db, organizationId, path }) => loadPlan(db, organizationId, path.key, {}),
})

/** Loads several plans by key, without their grants. */
export async function loadPlans(
  { db, organizationId }: ReadScope,
  keys: readonly string[],
  selectionWith = allColumns,
): Promise<Map<string, Plan>> {
  const where = { organizationId, key: { in: [...keys] } }
  const plans = await db.plan.findMany({ where, ...selectionWith('key') })
  return new Map(plans.map((plan) => [plan.key, plan]))
}

/** Loads the grants of several plans, by plan key; each list sorted by feature key. */
export const loadGrants = loadGrantsBy('planKey', Prisma.sql`plan_key`, Prisma.sql`"featureKey"`)

/** Loads the grants of several features, by feature key; each list sorted by plan key. */
export const loadGrantsOfFeatures = loadGrantsBy('featureKey', Prisma.sql`feature_key`, Prisma.sql`"planKey"`)

function loadGrantsBy(field: 'planKey' | 'featureKey', column: Prisma.Sql, orderBy: Prisma.Sql) {
  return async (
    { readRows, organizationId, loadBudget }: ReadScope,
    keys: readonly string[],
  ): Promise<Map<string, PlanGrant[]>> => {
    const requested = query`
      select ${grantTable.columns} from plan_grant
       where organization_id = ${organizationId} and ${column} = any(${keys}::text[])`
    return Map.groupBy(await loadWithinByteLimit(readRows, { requested, orderBy }, loadBudget), (grant) => grant[field])
  }
}
