import { SegmentedControl, Text } from '@mantine/core'
import { FeatureName } from '../../../components/feature/feature-name.tsx'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { FilterBar } from '../../../components/page/filter-bar.tsx'
import { type Column, DataTable } from '../../../components/table/data-table.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { EntitlementValue } from '../../../components/text/entitlement-value.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { Note } from '../../../components/text/note.tsx'
import { OverrideState } from '../../../components/text/override-state.tsx'
import { overrideValue } from '../../../components/text/override-value.ts'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { OverridesOfSubscriberDocument } from '../../../generated/explanation.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
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

const columns: readonly [Column<Override>, ...Column<Override>[]] = [
  { title: 'Feature', render: ({ feature }) => <FeatureName featureKey={feature} /> },
  { title: 'Value', render: (override) => <EntitlementValue {...overrideValue(override)} /> },
  { title: 'State', render: ({ expiresAt }) => <OverrideState expiresAt={expiresAt} /> },
  { title: 'Expires', render: ({ expiresAt }) => (expiresAt === null ? 'never' : <Moment at={expiresAt} />) },
  { title: 'Set by', text: 'line', render: ({ setBy }) => (setBy ? shortenMiddle(setBy.displayName, 24) : '—') },
  { title: 'Note', text: 'rest', render: ({ note }) => <Note text={note} /> },
  { title: 'Changed', align: 'right', render: ({ updatedAt }) => <Moment at={updatedAt} /> },
]

/** All overrides of the subscriber, including expired ones. */
export function OverrideList() {
  const organizationId = useOrganizationId()
  const { subscriberId, search, filter } = useSubscriberSearch()
  const { state } = search
  const { nodes, query, ...more } = useOrganizationPages(
    OverridesOfSubscriberDocument,
    { filter: { subscriberId, ...(state && { live: state === 'live' }) } },
    ({ overrides }) => overrides,
  )
  return (
    <>
      <FilterBar>
        <SegmentedControl
          aria-label="State"
          data={states}
          value={state ?? all}
          onChange={(value) => filter({ state: value === all ? undefined : (value as State) })}
        />
      </FilterBar>
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <TableSkeleton rows={3} />}
      {!query.isPending && !query.error && nodes.length === 0 && <Text c="dimmed">No overrides.</Text>}
      {nodes.length > 0 && (
        <DataTable
          label="Overrides"
          rows={nodes}
          rowKey={({ id }) => id}
          columns={columns}
          to={({ feature }) => ({
            to: '/o/$organizationId/subscribers/$subscriberId',
            params: { organizationId, subscriberId },
            search: { feature },
          })}
        />
      )}
      <LoadMore {...more} />
    </>
  )
}
