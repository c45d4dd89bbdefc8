import { toObject } from '../../src/core/json.ts'
import { StoredJson } from '../../src/core/stored-json.ts'
import { archivePlan, unarchivePlan } from '../../src/modules/plans/archive-plan.ts'
import { createPlan } from '../../src/modules/plans/create-plan.ts'
import { deletePlan } from '../../src/modules/plans/delete-plan.ts'
import { type Plan, type PlanGrant, type PlanWithGrants, toGrant } from '../../src/modules/plans/plan.ts'
import { type ListedPlan, listPlans, readPlan } from '../../src/modules/plans/read-plans.ts'
import { updatePlan } from '../../src/modules/plans/update-plan.ts'
import { asBooleanOrDigit } from '../query.ts'
import { noBody, route } from '../route.ts'

export const planRoutes = [
  route(createPlan, { reply: planBody }),
  route(listPlans, {
    query: { include_archived: asBooleanOrDigit },
    reply: (plans) => ({ plans: (plans as ListedPlan[]).map(listedPlanBody) }),
  }),
  route(readPlan, { reply: planBody }),
  route(updatePlan, { reply: planBody }),
  route(archivePlan, { reply: planBody }),
  route(unarchivePlan, { reply: planBody }),
  route(deletePlan, { reply: noBody }),
]

function listedPlanBody(plan: ListedPlan) {
  return { ...factsOf(plan), grants: new StoredJson(plan.grantsJson), ...timesOf(plan) }
}

function planBody(plan: PlanWithGrants) {
  const grants = plan.grants.map((grant): [string, unknown] => [grant.featureKey, grantBody(grant)])
  return { ...factsOf(plan), grants: toObject(grants), ...timesOf(plan) }
}

function grantBody(grant: PlanGrant) {
  const { kind, value } = grant
  return kind === 'config' ? { kind, value: new StoredJson(value as string) } : toGrant(grant)
}

function factsOf({ key, name, kind }: Plan) {
  return { key, name, kind }
}

function timesOf({ archivedAt, createdAt, updatedAt }: Plan) {
  return { archived_at: archivedAt, created_at: createdAt, updated_at: updatedAt }
}
