import { SegmentedControl, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useOrganizationPages } from '../../api/queries.ts'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { FilterBar } from '../../components/page/filter-bar.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { type WebhookEventState, WebhookEventsDocument } from '../../generated/webhook.ts'
import { DeliveryTable } from './delivery-table.tsx'

const route = getRouteApi('/o/$organizationId/webhook')

const all = 'ALL'
const states = [
  { value: all, label: 'All' },
  { value: 'QUEUED', label: 'Queued' },
  { value: 'DELIVERED', label: 'Delivered' },
  { value: 'FAILED', label: 'Failed' },
]

export function DeliveryList() {
  const { state } = route.useSearch()
  const navigate = route.useNavigate()
  const { nodes, query, ...more } = useOrganizationPages(
    WebhookEventsDocument,
    { state: state ?? null },
    ({ webhookEvents }) => webhookEvents,
    { refetchInterval: 5000 },
  )

  function filter(value: string): void {
    void navigate({ search: { state: value === all ? undefined : (value as WebhookEventState) }, replace: true })
  }

  return (
    <>
      <FilterBar>
        <SegmentedControl aria-label="State" data={states} value={state ?? all} onChange={filter} />
      </FilterBar>
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <TableSkeleton rows={4} />}
      {!query.isPending && nodes.length === 0 && <Text c="dimmed">There are none.</Text>}
      {nodes.length > 0 && <DeliveryTable events={nodes} />}
      <LoadMore {...more} />
    </>
  )
}
