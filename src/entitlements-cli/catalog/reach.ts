import type { Difference } from '../../core/catalog/compare.ts'
import { toGrantsBody } from '../../core/catalog/grants-body.ts'
import type { Connection } from '../connection.ts'

/** A count; a lower bound if it is not exact. */
export type Count = { value: number; is_exact: boolean }

/** The subscribers that a change of a plan affects. */
export type PlanReach = {
  /** How many subscribers have the plan. */
  subscribers: Count
  /** By feature: how many of these subscribers have an override, which hides the change. */
  hidden: ReadonlyMap<string, Count>
}

/** By the key of the plan. */
export type PlanReachByKey = ReadonlyMap<string, PlanReach>

/** Counts the subscribers of each plan that would change or be removed. Uses previews, which change nothing. */
export async function loadReach(
  { ask }: Connection,
  { changedPlans, extraPlans }: Pick<Difference, 'changedPlans' | 'extraPlans'>,
): Promise<PlanReachByKey> {
  const found = new Map<string, PlanReach>()
  for (const { key, grants } of [...changedPlans.map(({ after }) => after), ...extraPlans]) {
    // A preview ignores changes that would be refused now, such as grants of features that do not exist yet.
    const { subscribers, changes } = await ask((api) => api.previewPlanUpdate({ key, grants: toGrantsBody(grants) }))
    const hidden = new Map(changes.map((change) => [change.feature, change.hidden_by_override]))
    found.set(key, { subscribers, hidden })
  }
  return found
}
