import { SegmentedControl, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Section } from '../../../components/page/section.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { PagedList } from '../../../components/table/paged-list.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { overridesInState } from '../../../components/text/override-filter.ts'
import { useCurrentMinute } from '../../../components/text/use-now.ts'
import { FeatureOverridesDocument } from '../../../generated/features.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { columns } from './override-columns.tsx'

const route = getRouteApi('/o/$organizationId/features/$featureKey')

const states = [
  { value: 'live', label: 'Live' },
  { value: 'expired', label: 'Expired' },
  { value: 'all', label: 'All' },
] as const

type State = (typeof states)[number]['value']

const none: Record<State, string> = {
  live: 'No subscriber has a live override of this feature.',
  expired: 'No override of this feature has expired.',
  all: 'No subscriber has an override of this feature.',
}

/** The feature's overrides. The page's address says whether live, expired or all overrides are shown. */
export function OverridesOfFeature() {
  const { overrides: state = 'live' } = route.useSearch()
  const navigate = route.useNavigate()
  if (!useMay('overrides:read')) return null

  function choose(next: string): void {
    const overrides = next === 'live' ? undefined : (next as 'expired' | 'all')
    void navigate({ search: (old) => ({ ...old, overrides }), replace: true })
  }

  const choice = <SegmentedControl size="xs" aria-label="State" data={[...states]} value={state} onChange={choose} />
  return (
    <Section title="Overridden by" actions={choice}>
      <List key={state} state={state} />
    </Section>
  )
}

function List({ state }: { state: State }) {
  const { featureKey: feature } = route.useParams()
  const pages = useOrganizationPages(
    FeatureOverridesDocument,
    { filter: { feature, ...overridesInState(state, useCurrentMinute()) }, first: 25 },
    ({ overrides }) => overrides,
    { keepPrevious: true },
  )
  const { subscriber, value, state: liveness, ends, note, setBy, changed } = columns
  return (
    <PagedList pages={pages} skeleton={<TableSkeleton rows={2} />} none={<Text c="dimmed">{none[state]}</Text>}>
      {(overrides) => (
        <DataTable
          label="Subscribers that override this feature"
          rows={overrides}
          rowKey={({ id }) => id}
          columns={[subscriber, value, liveness, ends, note, setBy, changed]}
          to={({ subscriberId }) => ({
            to: '/o/$organizationId/subscribers/$subscriberId',
            params: { subscriberId },
          })}
        />
      )}
    </PagedList>
  )
}
