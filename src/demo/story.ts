import { DomainError } from '../core/errors.ts'
import { createFeature } from '../modules/features/create-feature.ts'
import { deleteFeature } from '../modules/features/delete-feature.ts'
import { updateFeature } from '../modules/features/update-feature.ts'
import { createInvite } from '../modules/invites/create-invite.ts'
import { archivePlan } from '../modules/plans/archive-plan.ts'
import { createPlan } from '../modules/plans/create-plan.ts'
import { updatePlan } from '../modules/plans/update-plan.ts'
import { putWebhook } from '../modules/webhook/put-webhook.ts'
import { type DemoGrant, demoFeatures, grantsOf, type PlanKey, planKeys, planNames } from './catalog.ts'
import type { RunOperation } from './operation-runner.ts'
import type { Team } from './team.ts'

/** An action and how many days ago it happened. */
export type Step = { daysAgo: number; run(): Promise<unknown> }

export type StoryContext = { act: RunOperation; team: Team }

export const firstDayAgo = 92

/** Creates the features and plans, and then changes them. */
export function catalogSteps({ act, team: { people } }: StoryContext): Step[] {
  const { ada, ben } = people
  const features = demoFeatures.map((feature, index): Step => {
    return { daysAgo: 91.2 - index * 0.004, run: () => act(ben, createFeature, feature) }
  })
  const plans = planKeys.map((key, index): Step => {
    const body = {
      key,
      name: planNames[key],
      kind: key === 'enterprise' ? 'custom' : 'standard',
      grants: grantsOf(key),
    }
    return { daysAgo: 90.3 - index * 0.01, run: () => act(ada, createPlan, body) }
  })
  const change = (daysAgo: number, key: PlanKey, changes: Record<string, DemoGrant | null>): Step => {
    return {
      daysAgo,
      run: () => act(daysAgo > 30 ? ada : ben, updatePlan, { grants: withChanges(key, changes) }, { key }),
    }
  }
  return [
    ...features,
    ...plans,
    change(76.1, 'starter', { seats: { kind: 'limit', limit: 6 } }),
    { daysAgo: 60.2, run: () => act(ada, archivePlan, {}, { key: 'legacy' }) },
    change(41.3, 'team', { seats: { kind: 'limit', limit: 25 }, 'alert-rules': { kind: 'limit', limit: 80 } }),
    { daysAgo: 33.1, run: () => act(ben, createFeature, { key: 'old-widgets', name: 'Widgets', kind: 'flag' }) },
    { daysAgo: 32.2, run: () => act(ben, deleteFeature, {}, { key: 'old-widgets' }) },
    change(20.4, 'business', { scim: { kind: 'flag' }, 'history-days': { kind: 'limit', limit: 1095 } }),
    {
      daysAgo: 12.3,
      run: () =>
        act(ben, updateFeature, { description: 'By invitation only, until the summer.' }, { key: 'beta-notebooks' }),
    },
    change(6.2, 'free', { 'saved-queries': { kind: 'limit', limit: 5 }, exports: null }),
    change(1.3, 'enterprise', { 'uptime-percent': { kind: 'config', value: 99.99 } }),
    change(0.12, 'starter', {
      seats: { kind: 'limit', limit: 6 },
      'refreshes-per-day': { kind: 'limit', limit: 12 },
    }),
  ]
}

/** All grants of a plan: its original ones with these changes, where null removes a grant. */
function withChanges(key: PlanKey, changes: Record<string, DemoGrant | null>): Record<string, DemoGrant> {
  const grants: Record<string, DemoGrant | null> = { ...grantsOf(key), ...changes }
  return Object.fromEntries(Object.entries(grants).flatMap(([feature, grant]) => (grant ? [[feature, grant]] : [])))
}

/** The team's other actions: the webhook, open invites, and refused writes. */
export function teamSteps(
  { act, team: { people } }: StoryContext,
  webhook: { url: string; onSecret(secret: string): void },
): Step[] {
  const { ada, ben, chloe, dmitri } = people
  return [
    {
      daysAgo: 89.9,
      async run() {
        const { newSecret } = await act(ben, putWebhook, { url: webhook.url })
        webhook.onSecret(newSecret as string)
      },
    },
    { daysAgo: 2.3, run: () => act(ada, createInvite, { role: 'support', email: 'eve@lumen.example' }) },
    { daysAgo: 0.9, run: () => act(ada, createInvite, { role: 'developer', email: 'farid@lumen.example' }) },
    { daysAgo: 17.2, run: () => expectRefusal(act(dmitri, updatePlan, { name: 'Team (new)' }, { key: 'team' })) },
    { daysAgo: 4.4, run: () => expectRefusal(act(chloe, archivePlan, {}, { key: 'free' })) },
    { daysAgo: 8.1, run: () => expectRefusal(act(ben, createFeature, { key: 'sso', name: 'SSO', kind: 'flag' })) },
    { daysAgo: 3.2, run: () => expectRefusal(act(ben, deleteFeature, {}, { key: 'seats' })) },
  ]
}

/** Runs a write that must be refused: the history contains refusals too. */
export async function expectRefusal(write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (error instanceof DomainError) return
    throw error
  }
  throw new Error('A write of the demo succeeded, but it should have been refused.')
}
