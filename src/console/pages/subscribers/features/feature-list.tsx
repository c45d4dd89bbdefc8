import { Text } from '@mantine/core'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { useLosses } from '../history/use-losses.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { type ExplainedFeature, filterExplained } from './explained.ts'
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
      {data !== undefined && data.unknown > 0 && (
        <Text c="dimmed" mb="sm">
          Not shown: {data.unknown} {data.unknown === 1 ? 'value' : 'values'} of then that the audit log does not have.
        </Text>
      )}
      <Loaded query={query} skeleton={<TableSkeleton />}>
        {({ features, plan }) => <Explained features={features} plan={plan} />}
      </Loaded>
    </>
  )
}

/** Reads the losses once the table is there, so that it does not wait for them. */
function Explained({ features, plan }: { features: readonly ExplainedFeature[]; plan: string | null }) {
  const { search } = useSubscriberSearch()
  const losses = useLosses(features)
  return (
    <>
      <FeatureTable features={filterExplained(features, search)} plan={plan} losses={losses} />
      <FeatureDrawer features={features} plan={plan} losses={losses} />
    </>
  )
}
