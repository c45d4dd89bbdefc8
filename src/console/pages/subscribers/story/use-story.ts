import { useEffect, useEffectEvent } from 'react'
import { useDeliveries } from '../../../components/delivery-status/use-delivery.ts'
import { useNow } from '../../../components/text/use-now.ts'
import { ScheduledOverridesDocument } from '../../../generated/explanation.ts'
import { EntitlementHistoryDocument } from '../../../generated/history.ts'
import { PlanChoicesDocument } from '../../../generated/subscribers.ts'
import { useOrganizationPages, useOrganizationQuery } from '../../../session/queries.ts'
import { useMay, useViewer } from '../../../session/viewer.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { StoryFacts } from './story.ts'
import { scheduledVariables } from './variables.ts'

/** The number of changes that the story reads at most. A single change of plan may change every feature. */
const maxChanges = 500

type StoryData = {
  /** The data of the story, except what comes from the explanation. */
  facts: Omit<StoryFacts, 'features' | 'plan'>
  /** Whether the first reads have ended: later reads add only older changes. */
  isSettled: boolean
  /** The earliest end of an override according to the changes. It is in the past if the changes were read before that end. */
  firstEnd: string | null
}

/** The subscriber's newest changes and their deliveries, as of now. */
export function useStory(): StoryData {
  const { subscriberId, search } = useSubscriberSearch()
  const enabled = useMay('overrides:read') && search.at === undefined
  const { nodes, query, hasMore, isLoadingMore, loadMore } = useOrganizationPages(
    EntitlementHistoryDocument,
    { subscriberId, first: 100 },
    ({ subscriber }) => subscriber.history,
    { enabled },
  )
  const readOlder = useEffectEvent(loadMore)
  const isReading = enabled && hasMore && !isLoadingMore && !query.error && nodes.length < maxChanges
  useEffect(() => {
    if (isReading) readOlder()
  }, [isReading])

  const { deliveries, isSettled: isDeliveryRead } = useDeliveries(subscriberId, { enabled })
  const now = useNow()
  const scheduled = useOrganizationQuery(ScheduledOverridesDocument, scheduledVariables(subscriberId, now), {
    enabled,
    keepPrevious: true,
  })
  const notLive = [...(scheduled.data?.ending.nodes ?? []), ...(scheduled.data?.permanent.nodes ?? [])]
  const mayReadPlans = useMay('plans:read')
  const plans = useOrganizationQuery(PlanChoicesDocument, {}, { enabled: mayReadPlans })
  const viewer = useViewer()
  const changes = enabled ? nodes : []
  const isHistoryRead = !enabled || !query.isPending || query.error !== null
  const isScheduleRead = !enabled || scheduled.data !== undefined || scheduled.error !== null
  return {
    facts: {
      plans: plans.data?.plans ?? [],
      changes,
      hasMore,
      scheduled: enabled ? notLive : [],
      deliveries,
      labels: viewer?.labels ?? [],
      role: viewer?.role?.toLowerCase() ?? '',
      now,
    },
    isSettled:
      isHistoryRead &&
      isScheduleRead &&
      isDeliveryRead &&
      (!mayReadPlans || plans.data !== undefined || plans.error !== null),
    firstEnd: findFirstEnd(changes),
  }
}

/** The earliest end of an override, according to the newest change of each feature. */
function findFirstEnd(newestFirst: StoryFacts['changes']): string | null {
  const newest = new Map(newestFirst.toReversed().map(({ feature, to }) => [feature, to]))
  const ends = Array.from(newest.values()).flatMap((to) => to?.entitlement.expiresAt ?? [])
  return ends.sort()[0] ?? null
}
