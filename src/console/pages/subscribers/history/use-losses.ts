import { useEffect, useEffectEvent } from 'react'
import { useNow } from '../../../components/text/use-now.ts'
import { EntitlementHistoryDocument } from '../../../generated/history.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import type { ExplainedFeature } from '../features/explained.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { findLosses, type Loss } from './changes.ts'

const none: ReadonlyMap<string, Loss> = new Map()

/** One change of plan may change each feature. */
const mostChanges = 500

/** Why features are off or lower now, from the subscriber's newest changes. The drawer of a feature shows older ones. */
export function useLosses(features: readonly ExplainedFeature[]): ReadonlyMap<string, Loss> {
  const { subscriberId, search } = useSubscriberSearch()
  const isNow = search.at === undefined
  const { nodes, query, hasMore, isLoadingMore, loadMore } = useOrganizationPages(
    EntitlementHistoryDocument,
    { subscriberId, first: 100 },
    ({ subscriber }) => subscriber.history,
    { enabled: isNow },
  )
  const readOn = useEffectEvent(loadMore)
  const isReading = isNow && hasMore && !isLoadingMore && !query.error && nodes.length < mostChanges
  useEffect(() => {
    if (isReading) readOn()
  }, [isReading])
  const now = useNow()
  return isNow ? findLosses(features, nodes, now) : none
}
