import type { Answer } from '../../api/typed-document.ts'
import type { EvalUsageQuery, FirstStepsQuery, OverviewCountsQuery } from '../../generated/overview.ts'
import type { Label } from '../../session/viewer.ts'
import type { Webhook } from './problems.ts'

export type Step = {
  id: 'feature' | 'plan' | 'subscriber' | 'key' | 'check' | 'webhook'
  title: string
  why: string
  /** null if the role cannot see whether the step is done. */
  isDone: boolean | null
  /** The label that a role needs for the step. */
  label: Label
}

export type FirstStepsAnswer = Answer<FirstStepsQuery>

export type StepReads = {
  usage: Answer<EvalUsageQuery>
  first: FirstStepsAnswer
  webhook: Webhook | null | undefined
}

/** Whether the organization still lacks features, plans or subscribers: then the overview has nothing to show. */
export function isIncomplete({ features, plans, subscribers }: Answer<OverviewCountsQuery>['counts']): boolean {
  return [features, plans, subscribers].some((count) => count?.value === 0)
}

/** Whether any check was made this month or last month. */
export function hasChecks({ evalUsage, previous }: StepReads['usage']): boolean {
  return evalUsage.used + previous.used > 0
}

type Plan = FirstStepsAnswer['plans'][number]

/** The first feature that a check would allow on this plan; undefined if it grants nothing. */
function findFirstAllowedFeature({ grants }: Plan): string | undefined {
  return grants.find(({ kind, limit }) => kind !== 'LIMIT' || limit !== 0)?.feature
}

/** A plan that grants something; undefined if none does. */
export function findGrantingPlan({ plans }: FirstStepsAnswer): Plan | undefined {
  return plans.find((plan) => findFirstAllowedFeature(plan) !== undefined)
}

/** A subscriber, and a feature that their plan grants; null if there is no such subscriber yet. */
export function findPossibleCheck(first: FirstStepsAnswer): { subscriberId: string; feature: string } | null {
  for (const { subscriberId, activeSubscription } of first.subscribed.nodes) {
    const plan = first.plans.find(({ key }) => key === activeSubscription?.planId)
    const feature = plan && findFirstAllowedFeature(plan)
    if (feature !== undefined) return { subscriberId, feature }
  }
  return null
}

/** The steps to the first check that answers true. A step is done when the thing that the next step needs exists. */
export function listSteps({ usage, first, webhook }: StepReads): Step[] {
  return [
    {
      id: 'feature',
      title: 'A feature',
      why: 'What your product can do: a flag, a limit or a config.',
      isDone: first.features.length > 0,
      label: 'features:write',
    },
    {
      id: 'plan',
      title: 'A plan that grants it',
      why: 'Everyone who subscribes to the plan may use the feature.',
      isDone: findGrantingPlan(first) !== undefined,
      label: 'plans:write',
    },
    {
      id: 'subscriber',
      title: 'A subscriber on the plan',
      why: 'One of your customers, by the id that your product uses for them.',
      isDone: findPossibleCheck(first) !== null,
      label: 'subscribers:write',
    },
    {
      id: 'key',
      title: 'An API key',
      why: 'Belongs to a service account. Your product sends it with each check.',
      isDone: first.serviceAccounts.nodes.some(({ apiKeys }) => (apiKeys?.nodes.length ?? 0) > 0),
      label: 'service-accounts:write',
    },
    {
      id: 'check',
      title: 'The first check',
      why: 'Your product asks whether the subscriber may use the feature.',
      isDone: hasChecks(usage),
      label: 'entitlements:read',
    },
    {
      id: 'webhook',
      title: 'A webhook (optional)',
      why: 'Tells your product at once that a cached answer is out of date.',
      isDone: webhook === undefined ? null : webhook !== null,
      label: 'webhooks:write',
    },
  ]
}
