import { Button, Drawer } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PageApi } from '../../components/api/use-the-api.tsx'
import { EmptyList, EmptyState } from '../../components/feedback/empty-state.tsx'
import { AddIcon } from '../../components/icons/actions.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { useFlag } from '../../components/page/use-flag.ts'
import { PagedList } from '../../components/table/paged-list.tsx'
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
  const create = useFlag('create')
  const mayWrite = useMay('subscribers:write')
  const { organizationId } = route.useParams()
  const filter = toFilter(route.useSearch())
  return (
    <>
      <PageHeader
        title="Subscribers"
        description="Your customers, by the ids that you gave them."
        actions={
          <>
            <PageApi
              title={filter ? 'Lists these subscribers' : 'Lists the subscribers'}
              example={listSubscribers(filter)}
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
              <Button leftSection={<AddIcon size={16} />} onClick={create.open}>
                Add subscriber
              </Button>
            )}
          </>
        }
      />
      <ReadOnlyNotice label="subscribers:write" what="change subscribers" />
      <SubscriberFilters />
      <SubscriberList onAdd={mayWrite ? create.open : null} />
      <Drawer opened={mayWrite && create.isOn} onClose={create.close} title="Add subscriber">
        <CreateSubscriberForm onClose={create.close} />
      </Drawer>
    </>
  )
}

function SubscriberList({ onAdd }: { onAdd: (() => void) | null }) {
  const filter = toFilter(route.useSearch())
  const pages = useOrganizationPages(SubscribersDocument, { filter }, ({ subscribers }) => subscribers, {
    keepPrevious: true,
  })
  const none = filter ? (
    <EmptyState title="No subscriber matches">Change the search or the plan to see more of them.</EmptyState>
  ) : (
    <EmptyList title="No subscribers yet" action="Add the first subscriber" onAdd={onAdd}>
      A subscriber is a customer of yours who may use what their plan grants.
    </EmptyList>
  )
  return (
    <PagedList pages={pages} none={none}>
      {(subscribers) => <SubscriberTable subscribers={subscribers} />}
    </PagedList>
  )
}
