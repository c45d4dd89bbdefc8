import { useEffect, useState } from 'react'
import { CleanUpOverridesDocument, type CleanUpOverridesQuery } from '../../../generated/features.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import { type GrantingPlans, useGrantingPlans } from '../use-granting-plans.ts'
import { cleanUpLists } from './clean-up-lists.ts'
import { isRedundant } from './is-redundant.ts'

const pageSize = 100
const overridesPerStep = 500

type Row = NonNullable<CleanUpOverridesQuery['overrides']>['nodes'][number]

/**
 * An override that has no effect, and the key of the plan whose grant it repeats; null if the
 * subscriber's plan has no such grant.
 */
export type RedundantOverride = Row & { planKey: string | null }

/** Reads live overrides, 500 at a time, and returns those that have no effect. */
export function useRedundantOverrides() {
  const [goal, setGoal] = useState(overridesPerStep)
  const { data: granting, ...grants } = useGrantingPlans()
  const { filter, order } = cleanUpLists.repeats
  const { nodes, query, hasMore, isLoadingMore, loadMore } = useOrganizationPages(
    CleanUpOverridesDocument,
    { filter, order, first: pageSize },
    ({ overrides }) => overrides,
  )
  const isContinuing = hasMore && !isLoadingMore && !query.error && nodes.length < goal
  useEffect(() => {
    if (isContinuing) loadMore()
  })

  return {
    found: granting ? findRepeats(nodes, granting) : [],
    isPending: !granting || query.isPending,
    error: query.error ?? grants.error,
    retry: () => void Promise.all([query.refetch(), grants.refetch()]),
    comparedCount: nodes.length,
    isComparing: isLoadingMore || isContinuing,
    hasMore,
    compareMore: () => setGoal(nodes.length + overridesPerStep),
  }
}

function findRepeats(rows: readonly Row[], granting: GrantingPlans): RedundantOverride[] {
  return rows.flatMap((row) => {
    const planId = row.subscriber?.activeSubscription?.planId
    const plan = planId && granting.get(row.feature)?.find(({ key }) => key === planId)
    return isRedundant(row, plan ? plan.grant : null) ? [{ ...row, planKey: plan ? plan.key : null }] : []
  })
}
