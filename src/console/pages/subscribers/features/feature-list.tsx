import { Text } from '@mantine/core'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { filterExplained } from './explained.ts'
import { FeatureDrawer } from './feature-drawer.tsx'
import { FeatureFilters } from './feature-filters.tsx'
import { FeatureTable } from './feature-table.tsx'
import { useExplanation } from './use-explanation.ts'

/** The tab of features: what the subscriber may use, and why. */
export function FeatureList() {
  const { subscriberId, search } = useSubscriberSearch()
  const { at } = search
  const query = useExplanation(subscriberId, { at, keepPrevious: true })
  const { data } = query
  if (data?.features.length === 0) return <Text c="dimmed">There are no features in the catalog yet.</Text>
  return (
    <>
      {/* Also shown when the server refuses the time in the address. */}
      {(data || at !== undefined) && <FeatureFilters features={data?.features ?? []} />}
      <Loaded query={query} skeleton={<TableSkeleton />}>
        {({ features, plan }) => (
          <>
            <FeatureTable features={filterExplained(features, search)} plan={plan} />
            <FeatureDrawer features={features} plan={plan} />
          </>
        )}
      </Loaded>
    </>
  )
}
