import { Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useOrganizationQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { BackLink } from '../../components/page/back-link.tsx'
import { PageHeader } from '../../components/page/page-header.tsx'
import { Properties } from '../../components/page/properties.tsx'
import { Section } from '../../components/page/section.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { SubscriberDocument } from '../../generated/subscribers.ts'
import { OverrideTable } from './override-table.tsx'

const route = getRouteApi('/o/$organizationId/subscribers/$subscriberId')

export function SubscriberPage() {
  const { organizationId, subscriberId } = route.useParams()
  const query = useOrganizationQuery(SubscriberDocument, { subscriberId })
  return (
    <Loaded query={query} skeleton={<TableSkeleton />}>
      {({ subscriber: { activeSubscription, overrides, ...subscriber } }) => (
        <>
          <PageHeader
            above={
              <BackLink to="/o/$organizationId/subscribers" params={{ organizationId }}>
                Subscribers
              </BackLink>
            }
            title={shortenMiddle(subscriber.name ?? subscriber.subscriberId, 80)}
          />
          <Properties
            items={[
              ['Id', <KeyText key="id" value={subscriber.subscriberId} max={64} copy="subscriber id" />],
              [
                'Plan',
                activeSubscription ? (
                  <Link
                    key="plan"
                    to="/o/$organizationId/plans/$planKey"
                    params={{ organizationId, planKey: activeSubscription.planId }}
                  >
                    {activeSubscription.planId}
                  </Link>
                ) : (
                  'no plan'
                ),
              ],
              ...(activeSubscription
                ? ([['Subscribed', <Moment key="subscribed" at={activeSubscription.createdAt} />]] as const)
                : []),
              ['Created', <Moment key="created" at={subscriber.createdAt} />],
            ]}
          />
          <Section title="Overrides" description="Each replaces what the plan grants for one feature.">
            {overrides?.length ? <OverrideTable overrides={overrides} /> : <Text c="dimmed">There are none.</Text>}
          </Section>
        </>
      )}
    </Loaded>
  )
}
