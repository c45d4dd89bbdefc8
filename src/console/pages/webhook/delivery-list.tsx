import { Group, Text, VisuallyHidden } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Live } from '../../components/feedback/live.tsx'
import { Section } from '../../components/page/section.tsx'
import { PagedList } from '../../components/table/paged-list.tsx'
import { WebhookEventsDocument } from '../../generated/webhook.ts'
import { useOrganizationPages } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { ResendFailed } from './resend-failed.tsx'
import { type Delivery, subjectOf } from './webhook.ts'

const route = getRouteApi('/o/$organizationId/webhook')
const pollIntervalMs = 2500

/** The list of events, which refreshes itself while the page is visible. */
export function DeliveryList({ isPaused, failed }: { isPaused: boolean; failed: number }) {
  const { state, type, subscriber } = route.useSearch()
  const mayWrite = useMay('webhooks:write')
  const [shown, setShown] = useState(1)
  const pages = useOrganizationPages(
    WebhookEventsDocument,
    { state: state ?? null, filter: { ...(type && { type }), ...(subscriber && { subscriberId: subscriber }) } },
    ({ webhookEvents }) => webhookEvents,
    // Each refresh reads all pages again, so the interval grows with their number.
    { refetchInterval: pollIntervalMs * shown },
  )
  const isFiltered = Boolean(state ?? type ?? subscriber)
  const none = (
    <Text c="dimmed">{isFiltered ? 'No delivery matches.' : 'No event has occurred yet. Send a test event.'}</Text>
  )

  function loadMore(): void {
    setShown(shown + 1)
    pages.loadMore()
  }

  return (
    <Section
      title="Deliveries"
      description="Newest first. Delivered and failed events are deleted after some time."
      actions={
        <Group gap="sm">
          {mayWrite && <ResendFailed failed={failed} isPaused={isPaused} />}
          {!pages.query.error && <Live />}
        </Group>
      }
    >
      <DeliveryFilters />
      <VisuallyHidden role="status">{describeNewest(pages.nodes[0])}</VisuallyHidden>
      <PagedList pages={{ ...pages, loadMore }} none={none} noun="delivery" isFiltered={isFiltered} keepsRows>
        {(deliveries) => <DeliveryTable deliveries={deliveries} isPaused={isPaused} />}
      </PagedList>
    </Section>
  )
}

/** The newest event in words, which screen readers announce when they change. */
function describeNewest(delivery: Delivery | undefined): string {
  if (!delivery) return ''
  const { type, state, attempts } = delivery
  const times = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`
  return `Newest event: ${type} ${subjectOf(delivery)} ${state.toLowerCase()} after ${times}`
}
