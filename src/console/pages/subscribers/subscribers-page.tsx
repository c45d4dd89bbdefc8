import { Button, Drawer, Menu, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PageApiMenu } from '../../components/api/use-the-api.tsx'
import { EmptyList, EmptyState } from '../../components/feedback/empty-state.tsx'
import { AddIcon } from '../../components/icons/actions.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { useFlag } from '../../components/page/use-flag.ts'
import { type Columns, DataTable } from '../../components/table/data-table.tsx'
import { PagedList } from '../../components/table/paged-list.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { SubscribersDocument, type SubscribersQuery } from '../../generated/subscribers.ts'
import { useOrganizationPages } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { listSubscribers } from './api-examples.ts'
import { CreateSubscriberForm } from './create-subscriber-form.tsx'
import { PlanName } from './plan/plan-name.tsx'
import { SubscriberExport } from './subscriber-export.tsx'
import { type Search, toFilter } from './subscriber-filter.ts'
import { SubscriberFilters } from './subscriber-filters.tsx'

const route = getRouteApi('/o/$organizationId/subscribers')

export function SubscribersPage() {
  const create = useFlag('create')
  const mayWrite = useMay('subscribers:write')
  const { create: _create, api: _api, ...whom } = route.useSearch()
  const filter = toFilter(whom)
  return (
    <>
      <PageHeader
        title="Subscribers"
        description="Your customers, by the ids that you gave them."
        actions={
          <>
            <SubscriberExport filter={filter} />
            <PageApiMenu
              title={filter ? 'Lists these subscribers' : 'Lists the subscribers'}
              example={listSubscribers(filter)}
              items={mayWrite && <BulkMenuItems whom={whom} />}
            />
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

/** Menu items for actions on many subscribers at once. */
function BulkMenuItems({ whom }: { whom: Search }) {
  const { organizationId } = route.useParams()
  return (
    <>
      <Menu.Item
        renderRoot={(props) => (
          <Link to="/o/$organizationId/bulk" params={{ organizationId }} search={whom} {...props} />
        )}
      >
        Change many
      </Menu.Item>
      <Menu.Item renderRoot={(props) => <Link to="/o/$organizationId/import" params={{ organizationId }} {...props} />}>
        Import
      </Menu.Item>
    </>
  )
}

function SubscriberList({ onAdd }: { onAdd: (() => void) | null }) {
  const filter = toFilter(route.useSearch())
  const pages = useOrganizationPages(SubscribersDocument, { filter }, ({ subscribers }) => subscribers, {
    keepPrevious: true,
  })
  const none = filter ? (
    <EmptyState title="No subscriber matches">Change the search or the plan to see more.</EmptyState>
  ) : (
    <EmptyList title="No subscribers yet" action="Add the first subscriber" onAdd={onAdd}>
      A subscriber is a customer of yours who may use what their plan grants.
    </EmptyList>
  )
  return (
    <PagedList pages={pages} none={none} noun="subscriber" isFiltered={filter !== null}>
      {(subscribers) => <SubscriberTable subscribers={subscribers} />}
    </PagedList>
  )
}

type Subscriber = NonNullable<SubscribersQuery['subscribers']>['nodes'][number]

const columns: Columns<Subscriber> = [
  {
    title: 'Name',
    render: ({ name, subscriberId }) => (name === null ? <KeyText value={subscriberId} /> : shortenMiddle(name, 60)),
  },
  // Without a name, the id is the title.
  { title: 'Id', card: 'below', render: ({ name, subscriberId }) => name !== null && <KeyText value={subscriberId} /> },
  {
    title: 'Plan',
    text: 'line',
    card: 'beside',
    render: ({ activeSubscription }) =>
      activeSubscription ? <PlanName {...activeSubscription} /> : <Text c="dimmed">no plan</Text>,
  },
  { title: 'Created', align: 'right', card: 'end', render: ({ createdAt }) => <Moment at={createdAt} /> },
]

function SubscriberTable({ subscribers }: { subscribers: readonly Subscriber[] }) {
  return (
    <DataTable
      label="Subscribers"
      rows={subscribers}
      rowKey={({ subscriberId }) => subscriberId}
      columns={columns}
      to={({ subscriberId }) => ({
        to: '/o/$organizationId/subscribers/$subscriberId',
        params: { subscriberId },
      })}
    />
  )
}
