import type { Feature, Plan } from '../catalog/catalog.ts'
import type { Progress, Step } from './step.ts'

/** Deletes the plan, or archives it if somebody has it or ever had it. */
export function removePlan({ key, archived }: Plan): Step {
  return {
    object: `plan ${key}`,
    action: 'remove',
    change: { operation: 'delete_plan', key },
    instead: archived ? undefined : archive,
  }

  async function archive(_conflict: Error, { connection }: Progress): Promise<string> {
    await connection.ask((api) => api.archivePlan({ key }))
    return 'archived, because subscribers have it or had it'
  }
}

/** Deletes the feature, unless an archived plan keeps it. `others` are plans that the file does not have. */
export function removeFeature({ key }: Feature, others: readonly Plan[]): Step {
  return {
    object: `feature ${key}`,
    action: 'remove',
    change: { operation: 'delete_feature', key },
    instead: others.some(({ grants }) => grants.has(key)) ? keep : undefined,
  }

  async function keep(conflict: Error, { connection }: Progress): Promise<string> {
    const { plans } = await connection.ask((api) => api.listPlans({ include_archived: true }))
    const users = plans.filter(({ grants }) => Object.hasOwn(grants, key))
    if (users.length === 0 || users.some(({ archived_at }) => archived_at === null)) throw conflict
    return `kept, because archived plans grant it: ${users.map((plan) => plan.key).join(', ')}`
  }
}
