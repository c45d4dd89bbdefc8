import { getRouteApi } from '@tanstack/react-router'
import { useOrganizationPages } from '../../api/queries.ts'
import type { ApiExample } from '../../components/api/api-examples.ts'
import { UseTheApi } from '../../components/api/use-the-api.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { SubscribersDocument } from '../../generated/subscribers.ts'
import { SubscriberTable } from './subscriber-table.tsx'

const route = getRouteApi('/o/$organizationId/subscribers')

const listSubscribers: ApiExample = {
  method: 'GET',
  path: '/org/subscribers',
  graphql: { document: '{ subscribers { nodes { subscriberId name } pageInfo { endCursor hasNextPage } } }' },
}

export function SubscribersPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { nodes, query, ...more } = useOrganizationPages(SubscribersDocument, {}, ({ subscribers }) => subscribers)
  return (
    <>
      <PageHeader
        title="Subscribers"
        description="Your customers, by the ids that you gave them."
        actions={
          <UseTheApi
            title="Lists the subscribers"
            example={listSubscribers}
            opened={search.api === true}
            onChange={(opened) => void navigate({ search: { api: opened || undefined } })}
          />
        }
      />
      <ReadOnlyNotice label="subscribers:write" what="change subscribers" />
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <TableSkeleton />}
      {!query.isPending && nodes.length === 0 && (
        <EmptyState title="No subscribers yet">
          A subscriber is a customer of yours who may use what their plan grants.
        </EmptyState>
      )}
      {nodes.length > 0 && <SubscriberTable subscribers={nodes} />}
      <LoadMore {...more} />
    </>
  )
}
