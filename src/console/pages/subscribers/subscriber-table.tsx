import { Text } from '@mantine/core'
import { type Columns, DataTable } from '../../components/table/data-table.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import type { SubscribersQuery } from '../../generated/subscribers.ts'
import { useOrganizationId } from '../../session/organization-id.ts'

type Subscriber = NonNullable<SubscribersQuery['subscribers']>['nodes'][number]

const columns: Columns<Subscriber> = [
  { title: 'Subscriber', render: ({ subscriberId }) => <KeyText value={subscriberId} /> },
  { title: 'Name', render: ({ name }) => (name === null ? <Text c="dimmed">—</Text> : shortenMiddle(name, 60)) },
  {
    title: 'Plan',
    text: 'line',
    render: ({ activeSubscription }) =>
      activeSubscription ? shortenMiddle(activeSubscription.planId, 32) : <Text c="dimmed">no plan</Text>,
  },
  { title: 'Created', align: 'right', render: ({ createdAt }) => <Moment at={createdAt} /> },
]

export function SubscriberTable({ subscribers }: { subscribers: readonly Subscriber[] }) {
  const organizationId = useOrganizationId()
  return (
    <DataTable
      label="Subscribers"
      rows={subscribers}
      rowKey={({ subscriberId }) => subscriberId}
      columns={columns}
      to={({ subscriberId }) => ({
        to: '/o/$organizationId/subscribers/$subscriberId',
        params: { organizationId, subscriberId },
      })}
    />
  )
}
