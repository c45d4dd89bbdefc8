import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { TableSkeleton } from '../../../components/table/table-skeleton.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import { SubscriptionHistoryDocument, type SubscriptionHistoryQuery } from '../../../generated/subscribers.ts'
import { useOrganizationPages } from '../../../session/queries.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { PlanName } from './plan-name.tsx'

type Subscription = NonNullable<NonNullable<SubscriptionHistoryQuery['subscriber']>['subscriptions']>['nodes'][number]

const columns: Columns<Subscription> = [
  { title: 'Plan', render: ({ planId, plan }) => <PlanName planId={planId} plan={plan} /> },
  {
    title: 'State',
    render: ({ status }) => (
      <StateBadge tone={status === 'ACTIVE' ? 'good' : 'neutral'}>{status.toLowerCase()}</StateBadge>
    ),
  },
  { title: 'From', render: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'To', render: ({ canceledAt }) => (canceledAt ? <Moment at={canceledAt} /> : '—') },
  { title: 'By', align: 'right', render: ({ createdBy }) => createdBy?.displayName ?? '—' },
]

/** Every plan that the subscriber had, newest first. The server's list begins with the oldest, so it is read to its end. */
export function PlanHistory() {
  const { subscriberId } = useSubscriberSearch()
  const { nodes, query, hasMore, isLoadingMore, loadMore } = useOrganizationPages(
    SubscriptionHistoryDocument,
    { subscriberId },
    ({ subscriber }) => subscriber.subscriptions,
  )
  const isDue = hasMore && !isLoadingMore && !query.error
  useEffect(() => {
    if (isDue) loadMore()
  }, [isDue, loadMore])

  if (query.error) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />
  if (query.isPending || hasMore) return <TableSkeleton rows={3} />
  if (nodes.length === 0) return <Text c="dimmed">No plan yet.</Text>
  return (
    <DataTable
      label="Plan history"
      rows={nodes.toReversed()}
      rowKey={({ id }) => id}
      columns={columns}
      to={({ planId }) => ({ to: '/o/$organizationId/plans/$planKey', params: { planKey: planId } })}
    />
  )
}
