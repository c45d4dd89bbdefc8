import { Text, VisuallyHidden } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { Live } from '../../components/feedback/live.tsx'
import { Section } from '../../components/page/section.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { WebhookEventsDocument } from '../../generated/webhook.ts'
import { useOrganizationPages } from '../../session/queries.ts'
import { DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { type Delivery, subjectOf } from './webhook.ts'

const route = getRouteApi('/o/$organizationId/webhook')
const everyMs = 2500

/** Refreshes itself while the page is visible. */
export function DeliveryList({ isPaused }: { isPaused: boolean }) {
  const { state, type, subscriber } = route.useSearch()
  const [pages, setPages] = useState(1)
  const { nodes, query, loadMore, ...more } = useOrganizationPages(
    WebhookEventsDocument,
    { state: state ?? null, filter: { ...(type && { type }), ...(subscriber && { subscriberId: subscriber }) } },
    ({ webhookEvents }) => webhookEvents,
    // All pages are read again each time, so the more there are, the less often.
    { refetchInterval: everyMs * pages },
  )
  const isFiltered = Boolean(state ?? type ?? subscriber)

  return (
    <Section
      title="Deliveries"
      description="Newest first. Finished ones are kept for a while."
      actions={!query.error && <Live />}
    >
      <DeliveryFilters />
      <VisuallyHidden role="status">{describeNewest(nodes[0])}</VisuallyHidden>
      {query.error && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <TableSkeleton />}
      {!query.isPending && !query.error && nodes.length === 0 && (
        <Text c="dimmed">{isFiltered ? 'No delivery matches.' : 'No event has occurred yet. Send a test event.'}</Text>
      )}
      {nodes.length > 0 && <DeliveryTable deliveries={nodes} isPaused={isPaused} />}
      <LoadMore
        {...more}
        loadMore={() => {
          setPages(pages + 1)
          loadMore()
        }}
      />
    </Section>
  )
}

/** Said aloud when it changes. */
function describeNewest(delivery: Delivery | undefined): string {
  if (!delivery) return ''
  const { type, state, attempts } = delivery
  const times = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`
  return `Newest event: ${type} ${subjectOf(delivery)} ${state.toLowerCase()} after ${times}`
}
