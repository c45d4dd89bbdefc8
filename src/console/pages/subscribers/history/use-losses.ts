import { useNow } from '../../../components/text/use-now.ts'
import { LatestChangesDocument } from '../../../generated/history.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import type { ExplainedFeature } from '../features/explained.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { findLosses, type Loss } from './changes.ts'

const none: ReadonlyMap<string, Loss> = new Map()

/** Why features are off or lower now, from the subscriber's newest 100 changes. The drawer of a feature shows older ones. */
export function useLosses(features: readonly ExplainedFeature[]): ReadonlyMap<string, Loss> {
  const { subscriberId, search } = useSubscriberSearch()
  const isNow = search.at === undefined
  const { data } = useOrganizationQuery(LatestChangesDocument, { subscriberId }, { enabled: isNow })
  const now = useNow()
  return isNow ? findLosses(features, data?.subscriber.history?.nodes ?? [], now) : none
}
