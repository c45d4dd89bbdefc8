import { useEffect, useState } from 'react'
import { CleanUpOverridesDocument, type CleanUpOverridesQuery } from '../../../generated/features.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import { type GrantingPlans, useGrantingPlans } from '../use-granting-plans.ts'
import { lists } from './lists.ts'
import { repeats } from './repeats.ts'

const pageSize = 100
const step = 500

type Row = NonNullable<CleanUpOverridesQuery['overrides']>['nodes'][number]

/** An override that changes nothing, and the plan whose grant it repeats; null for no grant. */
export type RedundantOverride = Row & { planKey: string | null }

/** Reads live overrides, some hundreds at a time, and keeps those that change nothing. */
export function useRepeats() {
  const [goal, setGoal] = useState(step)
  const { data: granting, ...grants } = useGrantingPlans()
  const { filter, order } = lists.repeats
  const { nodes, query, hasMore, isLoadingMore, loadMore } = useOrganizationPages(
    CleanUpOverridesDocument,
    { filter, order, first: pageSize },
    ({ overrides }) => overrides,
  )
  const goesOn = hasMore && !isLoadingMore && !query.error && nodes.length < goal
  useEffect(() => {
    if (goesOn) loadMore()
  })

  return {
    found: granting ? findRepeats(nodes, granting) : [],
    isPending: !granting || query.isPending,
    error: query.error ?? grants.error,
    retry: () => void Promise.all([query.refetch(), grants.refetch()]),
    looked: nodes.length,
    isLooking: isLoadingMore || goesOn,
    hasMore,
    lookFurther: () => setGoal(nodes.length + step),
  }
}

function findRepeats(rows: readonly Row[], granting: GrantingPlans): RedundantOverride[] {
  return rows.flatMap((row) => {
    const planId = row.subscriber?.activeSubscription?.planId
    const plan = planId && granting.get(row.feature)?.find(({ key }) => key === planId)
    return repeats(row, plan ? plan.grant : null) ? [{ ...row, planKey: plan ? plan.key : null }] : []
  })
}
