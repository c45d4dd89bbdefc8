import { SegmentedControl, Text } from '@mantine/core'
import { FeatureName, useIsLoadingFeatureNames } from '../../../components/feature/feature-name.tsx'
import { FilterBar } from '../../../components/page/filters.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { PagedList } from '../../../components/table/paged-list.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { Note } from '../../../components/text/note.tsx'
import { overridesInState } from '../../../components/text/override-filter.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { OverrideState } from '../../../components/text/state-badge.tsx'
import { useCurrentMinute } from '../../../components/text/use-now.ts'
import { overrideValue } from '../../../components/text/value.ts'
import { OverridesOfSubscriberDocument } from '../../../generated/explanation.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import type { Override } from '../features/explained.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'

type State = 'live' | 'expired'

const all = 'all'
const states = [
  { value: all, label: 'All' },
  { value: 'live', label: 'Live' },
  { value: 'expired', label: 'Expired' },
]

const columns: Columns<Override> = [
  { title: 'Feature', render: ({ feature }) => <FeatureName featureKey={feature} /> },
  { title: 'Value', card: 'beside', render: (override) => <EntitlementValue {...overrideValue(override)} /> },
  { title: 'State', card: 'below', render: (override) => <OverrideState {...override} /> },
  { title: 'Expires', render: ({ expiresAt }) => (expiresAt === null ? 'never' : <Moment at={expiresAt} />) },
  { title: 'Set by', text: 'line', render: ({ setBy }) => (setBy ? shortenMiddle(setBy.displayName, 24) : '—') },
  { title: 'Note', text: 'rest', render: ({ note }) => <Note text={note} />, isUsual: ({ note }) => note === null },
  { title: 'Changed', align: 'right', card: 'end', render: ({ updatedAt }) => <Moment at={updatedAt} /> },
]

/** All overrides of the subscriber, including expired ones. */
export function OverrideList() {
  const { search, filter } = useSubscriberSearch()
  const state = search.state ?? all
  return (
    <>
      <FilterBar>
        <SegmentedControl
          aria-label="State"
          data={states}
          value={state}
          onChange={(value) => filter({ state: value === all ? undefined : (value as State) })}
        />
      </FilterBar>
      <List key={state} state={state} />
    </>
  )
}

function List({ state }: { state: State | typeof all }) {
  const { subscriberId } = useSubscriberSearch()
  const pages = useOrganizationPages(
    OverridesOfSubscriberDocument,
    { filter: { subscriberId, ...overridesInState(state, useCurrentMinute()) } },
    ({ overrides }) => overrides,
    { keepPrevious: true },
  )
  const isWaiting = useIsLoadingFeatureNames()
  return (
    <PagedList
      pages={pages}
      isWaiting={isWaiting}
      skeleton={<TableSkeleton rows={3} />}
      none={<Text c="dimmed">No overrides.</Text>}
      noun="override"
      isFiltered={state !== all}
      keepsRows
    >
      {(overrides) => (
        <DataTable
          label="Overrides"
          rows={overrides}
          rowKey={({ id }) => id}
          columns={columns}
          to={({ feature }) => ({
            to: '/o/$organizationId/subscribers/$subscriberId',
            params: { subscriberId },
            search: { feature },
          })}
        />
      )}
    </PagedList>
  )
}
