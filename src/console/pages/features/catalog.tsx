import { Group, SegmentedControl, Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { EmptyList } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { AddressSearch, FilterBar } from '../../components/page/filters.tsx'
import { FoundRows } from '../../components/table/found-rows.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { type FeatureKind, FeaturesDocument } from '../../generated/features.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { type Feature, filterFeatures } from './feature.ts'
import { FeatureTable } from './feature-table.tsx'

const route = getRouteApi('/o/$organizationId/features')

/** All features, filtered as the address says. `onAdd` is null for people who may not add any. */
export function Catalog({ onAdd }: { onAdd: (() => void) | null }) {
  const query = useOrganizationQuery(FeaturesDocument, {})
  return (
    <Loaded query={query} skeleton={<CatalogSkeleton />}>
      {({ features }) =>
        features.length === 0 ? (
          <NoFeatures onAdd={onAdd} />
        ) : (
          <>
            <FeatureFilters />
            <FilteredTable features={features} />
          </>
        )
      }
    </Loaded>
  )
}

function FilteredTable({ features }: { features: readonly Feature[] }) {
  const { q, kind } = route.useSearch()
  const shown = filterFeatures(features, { q, kind })
  return (
    <>
      <FoundRows found={q === undefined && kind === undefined ? null : shown.length} noun="feature" />
      <FeatureTable features={shown} />
    </>
  )
}

/** A skeleton in the shape of the filters and the table. */
function CatalogSkeleton() {
  return (
    <>
      <Group gap="xs" mb="sm">
        <Skeleton height={36} w={{ base: '100%', xs: 260 }} />
        <Skeleton height={36} w={{ base: '100%', xs: 280 }} />
      </Group>
      <TableSkeleton />
    </>
  )
}

function NoFeatures({ onAdd }: { onAdd: (() => void) | null }) {
  return (
    <EmptyList title="No features yet" action="Add the first feature" onAdd={onAdd}>
      A feature is a flag that is on or off, a limit such as a number of seats, or a config value such as a region.
    </EmptyList>
  )
}

const all = 'ALL'
const kinds = [
  { value: all, label: 'All' },
  { value: 'FLAG', label: 'Flags' },
  { value: 'LIMIT', label: 'Limits' },
  { value: 'CONFIG', label: 'Configs' },
]

/** Filters replace the history entry, so that "back" leaves the page instead of undoing the last letter. */
function FeatureFilters() {
  const { q, kind } = route.useSearch()
  const navigate = route.useNavigate()

  function filter(patch: { q?: string | undefined; kind?: FeatureKind | undefined }): void {
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })
  }

  return (
    <FilterBar>
      <AddressSearch
        label="Filter by key or name"
        value={q ?? ''}
        onSearch={(text) => filter({ q: text || undefined })}
      />
      <SegmentedControl
        aria-label="Kind"
        data={kinds}
        value={kind ?? all}
        onChange={(value) => filter({ kind: value === all ? undefined : (value as FeatureKind) })}
      />
    </FilterBar>
  )
}
