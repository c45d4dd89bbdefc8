import { Group, Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { EmptyList } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { FeaturesDocument } from '../../generated/features.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { filterFeatures } from './feature.ts'
import { FeatureFilters } from './feature-filters.tsx'
import { FeatureTable } from './feature-table.tsx'

const route = getRouteApi('/o/$organizationId/features')

/** All features, filtered as the address says. `onAdd` is null for those who may not. */
export function Catalog({ onAdd }: { onAdd: (() => void) | null }) {
  const search = route.useSearch()
  const query = useOrganizationQuery(FeaturesDocument, {})
  return (
    <Loaded query={query} skeleton={<CatalogSkeleton />}>
      {({ features }) =>
        features.length === 0 ? (
          <NoFeatures onAdd={onAdd} />
        ) : (
          <>
            <FeatureFilters />
            <FeatureTable features={filterFeatures(features, search)} />
          </>
        )
      }
    </Loaded>
  )
}

/** In the shape of the filters and the table. */
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
      A feature is a flag that is on or off, a limit that counts, or a config value such as a region.
    </EmptyList>
  )
}
