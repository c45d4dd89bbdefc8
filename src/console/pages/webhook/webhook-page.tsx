import { isServerError } from '../../api/errors.ts'
import { useOrganizationQuery } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { Section } from '../../components/page/section.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { WebhookDocument } from '../../generated/webhook.ts'
import { DeliveryList } from './delivery-list.tsx'
import { WebhookDetails } from './webhook-details.tsx'

export function WebhookPage() {
  const query = useOrganizationQuery(WebhookDocument, {})
  const hasNone = isServerError(query.error, 'NOT_FOUND')
  return (
    <>
      <PageHeader title="Webhook" description="Tells your product when cached answers are stale." />
      {hasNone ? (
        <EmptyState title="No webhook yet">Events are queued once there is an address to send them to.</EmptyState>
      ) : (
        <Loaded query={query} skeleton={<TableSkeleton rows={3} />}>
          {({ webhook }) => (
            <>
              <WebhookDetails webhook={webhook} />
              <Section title="Deliveries" description="Newest first.">
                <DeliveryList />
              </Section>
            </>
          )}
        </Loaded>
      )}
    </>
  )
}
