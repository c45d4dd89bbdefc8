import { z } from 'zod'
import { defineInput, noInput } from '../../core/input.ts'
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
  { db, organizationId }: ReadScope,
  planKeys: readonly string[],
): Promise<Map<string, PlanGrant[]>> {
  const grants = await db.planGrant.findMany({
    where: { organizationId, planKey: { in: [...planKeys] } },
    orderBy: withGrants.include.grants.orderBy,
  })
  return Map.groupBy(grants, ({ planKey }) => planKey)
}
