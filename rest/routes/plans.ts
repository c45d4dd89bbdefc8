import { archivePlan, unarchivePlan } from '../../src/modules/plans/archive-plan.ts'
import { createPlan } from '../../src/modules/plans/create-plan.ts'
import { deletePlan } from '../../src/modules/plans/delete-plan.ts'
import { previewPlanUpdate } from '../../src/modules/plans/preview-plan-update.ts'
import { listPlans, readPlan } from '../../src/modules/plans/read-plans.ts'
import { updatePlan } from '../../src/modules/plans/update-plan.ts'
import { route } from '../route.ts'

export const planRoutes = [
  route(createPlan),
  route(listPlans),
  route(readPlan),
  route(updatePlan),
  route(previewPlanUpdate),
  route(archivePlan),
  route(unarchivePlan),
  route(deletePlan),
]
