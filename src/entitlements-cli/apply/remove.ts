import { ConflictError } from '../../client/api/index.ts'
import type { Feature, Plan } from '../catalog/catalog.ts'
import type { Step } from './step.ts'
import { assertUntouched } from './untouched.ts'

/** Deletes the plan, or archives it if somebody has it or ever had it. */
export function removePlan({ key, archived }: Plan): Step {
  const object = `plan ${key}`
  return {
    object,
    action: 'remove',
    async run(progress) {
      await assertUntouched(progress, 'plan', key)
      const { ask } = progress.connection
      try {
        await ask((api) => api.deletePlan({ key }))
        return 'deleted'
      } catch (error) {
        if (!(error instanceof ConflictError) || archived) throw error
        await ask((api) => api.archivePlan({ key }))
        return 'archived, because subscribers have it or had it'
      }
    },
  }
}

/** Deletes the feature, unless an archived plan keeps it. */
export function removeFeature({ key }: Feature): Step {
  return {
    object: `feature ${key}`,
    action: 'remove',
    async run(progress) {
      await assertUntouched(progress, 'feature', key)
      const { ask } = progress.connection
      try {
        await ask((api) => api.deleteFeature({ key }))
        return 'deleted'
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
        const { plans } = await ask((api) => api.listPlans({ include_archived: true }))
        const users = plans.filter(({ grants }) => Object.hasOwn(grants, key))
        if (users.length === 0 || users.some(({ archived_at }) => archived_at === null)) throw error
        return `kept, because archived plans grant it: ${users.map((plan) => plan.key).join(', ')}`
      }
    },
  }
}
