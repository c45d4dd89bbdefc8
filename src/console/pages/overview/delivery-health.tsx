import { Skeleton } from '@mantine/core'
import { useOrganizationQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Properties } from '../../components/page/properties.tsx'
import { Section } from '../../components/page/section.tsx'
import { DeliveryHealthDocument } from '../../generated/overview.ts'

const numbers = new Intl.NumberFormat('en')

export function DeliveryHealth() {
  const query = useOrganizationQuery(DeliveryHealthDocument, {})
  return (
    <Section title="Deliveries">
      <Loaded query={query} skeleton={<Skeleton height={60} />}>
        {({ webhookEventCounts: { queued, retrying, failed } }) => (
          <Properties
            items={[
              ['Queued', numbers.format(queued)],
              ['Retrying', numbers.format(retrying)],
              ['Failed', numbers.format(failed)],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
