import { toObject } from '../../src/core/json.ts'
import { archivePlan, unarchivePlan } from '../../src/modules/plans/archive-plan.ts'
import { createPlan } from '../../src/modules/plans/create-plan.ts'
import { deletePlan } from '../../src/modules/plans/delete-plan.ts'
import { type PlanWithGrants, toGrant } from '../../src/modules/plans/plan.ts'
import { listPlans, readPlan } from '../../src/modules/plans/read-plans.ts'
import { updatePlan } from '../../src/modules/plans/update-plan.ts'
import { asBooleanOrDigit } from '../query.ts'
import { noBody, route } from '../route.ts'

export const planRoutes = [
  route(createPlan, { reply: planBody }),
  route(listPlans, {
    query: { include_archived: asBooleanOrDigit },
    reply: (plans) => ({ plans: plans.map(planBody) }),
  }),
  route(readPlan, { reply: planBody }),
  route(updatePlan, { reply: planBody }),
  route(archivePlan, { reply: planBody }),
  route(unarchivePlan, { reply: planBody }),
  route(deletePlan, { reply: noBody }),
]

function planBody({ key, name, kind, grants, archivedAt, createdAt, updatedAt }: PlanWithGrants) {
  return {
    key,
    name,
    kind,
    grants: toObject(grants.map((grant) => [grant.featureKey, toGrant(grant)])),
    archived_at: archivedAt,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}
