import type { Answer } from '../../api/typed-document.ts'
import type { EvalUsageQuery, FirstStepsQuery, OverviewCountsQuery } from '../../generated/overview.ts'
import type { Label } from '../../session/viewer.ts'
import type { Webhook } from './troubles.ts'

export type Step = {
  id: 'feature' | 'plan' | 'subscriber' | 'key' | 'check' | 'webhook'
  title: string
  why: string
  /** null: this role cannot see whether it exists. */
  isDone: boolean | null
  action: string
  /** The label that the action needs. */
  label: Label
  page: 'features' | 'plans' | 'subscribers' | 'team' | 'webhook' | null
}

export type Found = {
  counts: Answer<OverviewCountsQuery>['counts']
  usage: Answer<EvalUsageQuery>
  first: Answer<FirstStepsQuery> | undefined
  webhook: Webhook | null | undefined
}

/** Without one of these the overview has nothing to show. */
export function isEmpty({ features, plans, subscribers }: Found['counts']): boolean {
  return [features, plans, subscribers].some((count) => count?.value === 0)
}

/** Whether any check was made this month or last month. */
export function hasChecks({ evalUsage, previous }: Found['usage']): boolean {
  return evalUsage.used + previous.used > 0
}

/** The steps to the first check; a step is done if its object exists. */
export function firstSteps({ counts, usage, first, webhook }: Found): Step[] {
  const isThere = (count: { value: number } | null) => (count ? count.value > 0 : null)
  const keys = first?.serviceAccounts.nodes.some(({ apiKeys }) => (apiKeys?.nodes.length ?? 0) > 0)
  return [
    {
      id: 'feature',
      title: 'A feature',
      why: 'What your product can do: a flag, a limit or a config.',
      isDone: isThere(counts.features),
      action: 'Add feature',
      label: 'features:write',
      page: 'features',
    },
    {
      id: 'plan',
      title: 'A plan',
      why: 'Grants features to the subscribers who have it.',
      isDone: isThere(counts.plans),
      action: 'Add plan',
      label: 'plans:write',
      page: 'plans',
    },
    {
      id: 'subscriber',
      title: 'A subscriber',
      why: 'One of your customers, by the id that your product uses for them.',
      isDone: isThere(counts.subscribers),
      action: 'Add subscriber',
      label: 'subscribers:write',
      page: 'subscribers',
    },
    {
      id: 'key',
      title: 'An API key',
      why: 'Belongs to a service account. Your product authenticates its checks with it.',
      isDone: keys ?? null,
      action: 'Create key',
      label: 'service-accounts:write',
      page: 'team',
    },
    {
      id: 'check',
      title: 'The first check',
      why: 'Your product asks whether the subscriber may use the feature.',
      isDone: hasChecks(usage),
      action: '',
      label: 'org:read',
      page: null,
    },
    {
      id: 'webhook',
      title: 'A webhook',
      why: 'Tells your product at once that a cached answer is stale.',
      isDone: webhook === undefined ? null : webhook !== null,
      action: 'Connect webhook',
      label: 'webhooks:write',
      page: 'webhook',
    },
  ]
}
