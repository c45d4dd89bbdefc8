import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useOrganizationQuery } from '../../api/queries.ts'
import { UseTheApi } from '../../components/api/use-the-api.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { AddIcon } from '../../components/icons/actions.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { useMay } from '../../frame/viewer.ts'
import { FeaturesDocument } from '../../generated/features.ts'
import { listFeatures } from './api-examples.ts'
import { CreateFeatureDrawer } from './create-feature-drawer.tsx'
import { filterFeatures } from './feature.ts'
import { FeatureFilters } from './feature-filters.tsx'
import { FeatureTable } from './feature-table.tsx'
import { NoFeatures } from './no-features.tsx'

const route = getRouteApi('/o/$organizationId/features')

export function FeaturesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useOrganizationQuery(FeaturesDocument, {})
  const mayWrite = useMay('features:write')
  const setSearch = (patch: typeof search) => void navigate({ search: (old) => ({ ...old, ...patch }) })
  const openDrawer = () => setSearch({ create: true })

  return (
    <>
      <PageHeader
        title="Features"
        description="What your product can do, and what plans grant."
        actions={
          <>
            <UseTheApi
              title="Lists the features"
              example={listFeatures}
              opened={search.api === true}
              onChange={(opened) => setSearch({ api: opened || undefined })}
            />
            {mayWrite && (
              <Button leftSection={<AddIcon size={16} />} onClick={openDrawer}>
                Add feature
              </Button>
            )}
          </>
        }
      />
      <ReadOnlyNotice label="features:write" what="change features" />
      <Loaded query={query} skeleton={<TableSkeleton />}>
        {({ features }) =>
          features.length === 0 ? (
            <NoFeatures onAdd={mayWrite ? openDrawer : null} />
          ) : (
            <>
              <FeatureFilters />
              <FeatureTable features={filterFeatures(features, search)} />
            </>
          )
        }
      </Loaded>
      <CreateFeatureDrawer
        opened={mayWrite && search.create === true}
        onClose={() => setSearch({ create: undefined })}
      />
    </>
  )
}
