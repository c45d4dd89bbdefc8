import { getRouteApi } from '@tanstack/react-router'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { FeaturesDocument } from '../../generated/features.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { CatalogSkeleton } from './catalog-skeleton.tsx'
import { filterFeatures } from './feature.ts'
import { FeatureFilters } from './feature-filters.tsx'
import { FeatureTable } from './feature-table.tsx'
import { NoFeatures } from './no-features.tsx'

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
