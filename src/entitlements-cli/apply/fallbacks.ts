import type { Step } from '../../core/catalog/steps.ts'
import type { Progress } from './progress.ts'

type Fallback = (key: string, conflict: Error, progress: Progress) => Promise<string>

/**
 * Replaces a removal that the service refused. Resolves to a description of the replacement. Throws the conflict if the removal
 * cannot be replaced.
 */
export const fallbacks: Record<NonNullable<Step['fallback']>, Fallback> = {
  async archive(key, _conflict, { connection }) {
    await connection.ask((api) => api.archivePlan({ key }))
    return 'archived, because subscribers have it or had it'
  },

  async keep(key, conflict, { connection }) {
    const { plans } = await connection.ask((api) => api.listPlans({ include_archived: true }))
    const users = plans.filter(({ grants }) => Object.hasOwn(grants, key))
    if (users.length === 0 || users.some(({ archived_at }) => archived_at === null)) throw conflict
    return `kept, because archived plans grant it: ${users.map((plan) => plan.key).join(', ')}`
  },
}
