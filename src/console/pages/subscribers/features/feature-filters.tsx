import { SegmentedControl } from '@mantine/core'
import { FilterBar } from '../../../components/page/filter-bar.tsx'
import { SearchField } from '../../../components/page/search-field.tsx'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { Entitlement, ExplainedFeature } from './explained.ts'
import { MomentFilter } from './moment-filter.tsx'

const all = 'ALL'
type Source = Entitlement['source']

const sources: readonly (readonly [Source | typeof all, string])[] = [
  [all, 'All'],
  ['OVERRIDE', 'Override'],
  ['PLAN', 'Plan'],
  ['NONE', 'None'],
]

/** By key or name, by source with the number of each, and as of a moment to come. */
export function FeatureFilters({ features }: { features: readonly ExplainedFeature[] }) {
  const { search, filter } = useSubscriberSearch()
  const count = (source: string) =>
    source === all ? features.length : features.filter(({ entitlement }) => entitlement.source === source).length
  return (
    <FilterBar>
      <SearchField
        label="Filter by key or name"
        value={search.q ?? ''}
        onChange={(text) => filter({ q: text || undefined })}
      />
      <SegmentedControl
        aria-label="Source"
        data={sources.map(([value, word]) => ({ value, label: `${word} ${count(value)}` }))}
        value={search.source ?? all}
        onChange={(value) => filter({ source: value === all ? undefined : (value as Source) })}
      />
      <MomentFilter />
    </FilterBar>
  )
}
