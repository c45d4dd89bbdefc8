import { Switch } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useOrganizationQuery } from '../../api/queries.ts'
import type { ApiExample } from '../../components/api/api-examples.ts'
import { UseTheApi } from '../../components/api/use-the-api.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { FilterBar } from '../../components/page/filter-bar.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { PlansDocument } from '../../generated/plans.ts'
import { PlanTable } from './plan-table.tsx'

const route = getRouteApi('/o/$organizationId/plans')

const listPlans: ApiExample = {
  method: 'GET',
  path: '/org/plans',
  graphql: { document: '{ plans { key name grants { feature kind limit value } } }' },
}

export function PlansPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useOrganizationQuery(
    PlansDocument,
    { includeArchived: search.archived === true },
    { keepPrevious: true },
  )
  const setSearch = (patch: typeof search) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })
  return (
    <>
      <PageHeader
        title="Plans"
        description="What each plan grants to its subscribers."
        actions={
          <UseTheApi
            title="Lists the plans with their grants"
            example={listPlans}
            opened={search.api === true}
            onChange={(opened) => setSearch({ api: opened || undefined })}
          />
        }
      />
      <ReadOnlyNotice label="plans:write" what="change plans" />
      <FilterBar>
        <Switch
          label="Show archived plans"
          checked={search.archived === true}
          onChange={(event) => setSearch({ archived: event.currentTarget.checked || undefined })}
        />
      </FilterBar>
      <Loaded query={query} skeleton={<TableSkeleton />}>
        {({ plans }) =>
          plans.length === 0 ? (
            <EmptyState title="No plans yet">A plan grants features to everyone who subscribes to it.</EmptyState>
          ) : (
            <PlanTable plans={plans} />
          )
        }
      </Loaded>
    </>
  )
}
