import { Button, Drawer } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { UseTheApi } from '../../components/api/use-the-api.tsx'
import { EmptyList } from '../../components/feedback/empty-list.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { AddIcon } from '../../components/icons/actions.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { SubscribersDocument } from '../../generated/subscribers.ts'
import { useOrganizationPages } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { listSubscribers } from './api-examples.ts'
import { CreateSubscriberForm } from './create-subscriber-form.tsx'
import { toFilter } from './subscriber-filter.ts'
import { SubscriberFilters } from './subscriber-filters.tsx'
import { SubscriberTable } from './subscriber-table.tsx'

const route = getRouteApi('/o/$organizationId/subscribers')

export function SubscribersPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('subscribers:write')
  const { organizationId } = route.useParams()
  const filter = toFilter(search)
  const setSearch = (patch: typeof search) => void navigate({ search: (old) => ({ ...old, ...patch }) })
  const closeCreate = () => setSearch({ create: undefined })
  return (
    <>
      <PageHeader
        title="Subscribers"
        description="Your customers, by the ids that you gave them."
        actions={
          <>
            <UseTheApi
              title={filter ? 'Lists these subscribers' : 'Lists the subscribers'}
              example={listSubscribers(filter)}
              opened={search.api === true}
              onChange={(opened) => setSearch({ api: opened || undefined })}
            />
            {mayWrite && (
              <Button
                variant="default"
                renderRoot={(props) => <Link to="/o/$organizationId/import" params={{ organizationId }} {...props} />}
              >
                Import
              </Button>
            )}
            {mayWrite && (
              <Button leftSection={<AddIcon size={16} />} onClick={() => setSearch({ create: true })}>
                Add subscriber
              </Button>
            )}
          </>
        }
      />
      <ReadOnlyNotice label="subscribers:write" what="change subscribers" />
      <SubscriberFilters />
      <SubscriberList onAdd={mayWrite ? () => setSearch({ create: true }) : null} />
      <Drawer opened={mayWrite && search.create === true} onClose={closeCreate} title="Add subscriber">
        <CreateSubscriberForm onClose={closeCreate} />
      </Drawer>
    </>
  )
}

function SubscriberList({ onAdd }: { onAdd: (() => void) | null }) {
  const filter = toFilter(route.useSearch())
  const { nodes, query, ...more } = useOrganizationPages(
    SubscribersDocument,
    { filter },
    ({ subscribers }) => subscribers,
    { keepPrevious: true },
  )
  if (query.error) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />
  if (query.isPending) return <TableSkeleton />
  if (nodes.length === 0) {
    return filter ? (
      <EmptyState title="No subscriber matches">Change the search or the plan to see more of them.</EmptyState>
    ) : (
      <EmptyList title="No subscribers yet" action="Add the first subscriber" onAdd={onAdd}>
        A subscriber is a customer of yours who may use what their plan grants.
      </EmptyList>
    )
  }
  return (
    <>
      <SubscriberTable subscribers={nodes} />
      <LoadMore {...more} />
    </>
  )
}
