import { z } from 'zod'
import { defineInput, noInput } from '../../core/input.ts'
import { Prisma } from '../../database/generated/client.ts'
import { loadWeighed } from '../../database/load-weighed.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { loadPlan, type Plan, type PlanGrant, type PlanWithGrants, withGrants } from './plan.ts'

export const listPlans = defineRead({
  name: 'plans',
  route: '/org/plans',
  service: 'api',
  labels: ['plans:read'],
  input: defineInput(
    { include_archived: z.boolean().default(false).describe('true, false, 1 or 0') },
    { unknown: 'reject', noun: 'query parameter' },
  ),
  async run({ db, organizationId, input, selection = withGrants }): Promise<PlanWithGrants[]> {
    const plans = await db.plan.findMany({
      ...selection,
      where: { organizationId, ...(!input.include_archived && { archivedAt: null }) },
      orderBy: [{ createdAt: 'desc' }, { key: 'asc' }],
    })
    return plans as PlanWithGrants[]
  },
})

export const readPlan = defineRead({
  name: 'plan',
  route: '/org/plans/{key}',
  service: 'api',
  labels: ['plans:read'],
  input: noInput,
  async run({ db, organizationId, path, selection }): Promise<PlanWithGrants> {
    return loadPlan(db, organizationId, path.key, selection)
  },
})

/** Several plans by key, without their grants. */
export async function loadPlans(
  { db, organizationId }: ReadScope,
  keys: readonly string[],
): Promise<Map<string, Plan>> {
  const plans = await db.plan.findMany({ where: { organizationId, key: { in: [...keys] } } })
  return new Map(plans.map((plan) => [plan.key, plan]))
}

/** The grants of several plans, by plan key; sorted by feature key, as everywhere. */
export async function loadGrants(
  { db, organizationId, room }: ReadScope,
  planKeys: readonly string[],
): Promise<Map<string, PlanGrant[]>> {
  const asked = Prisma.sql`
    select organization_id as "organizationId", plan_key as "planKey", feature_key as "featureKey", kind, "limit", value
      from plan_grant
     where organization_id = ${organizationId} and plan_key = any(${planKeys}::text[])`
  const grants = await loadWeighed<PlanGrant>(db, { asked, orderBy: Prisma.sql`"featureKey"` }, room)
  return Map.groupBy(grants, ({ planKey }) => planKey)
}
