import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { fromLocalInput, toLocalInput } from '../../../components/form/expiry.ts'
import { AddressSearch, FilterBar } from '../../../components/page/filters.tsx'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { Entitlement, ExplainedFeature } from './explained.ts'
import classes from './moment-filter.module.css'

const all = 'ALL'
type Source = Entitlement['source']

const sources: readonly (readonly [Source | typeof all, string])[] = [
  [all, 'All'],
  ['OVERRIDE', 'Override'],
  ['PLAN', 'Plan'],
  ['NONE', 'None'],
]

/**
 * Filters by key or name and by source (with the number of features from each source), and lets the person choose another time.
 */
export function FeatureFilters({ features }: { features: readonly ExplainedFeature[] }) {
  const { search, filter } = useSubscriberSearch()
  const count = (source: string) =>
    source === all ? features.length : features.filter(({ entitlement }) => entitlement.source === source).length
  return (
    <FilterBar>
      <AddressSearch
        label="Filter by key or name"
        value={search.q ?? ''}
        onSearch={(text) => filter({ q: text || undefined })}
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

/** Shows the table as it was at a past time, or as of a future one, without overrides that end before it. */
function MomentFilter() {
  const { search, filter } = useSubscriberSearch()
  const { at } = search
  return (
    <div className={classes.filter}>
      <label htmlFor="as-of">As of</label>
      <TextInput
        id="as-of"
        type="datetime-local"
        max="9999-12-31T23:59"
        value={toLocalInput(at ?? null)}
        onChange={(event) => filter({ at: fromLocalInput(event.currentTarget.value) || undefined })}
      />
      {at !== undefined && (
        <Button variant="subtle" onClick={() => filter({ at: undefined })}>
          Now
        </Button>
      )}
    </div>
  )
}
