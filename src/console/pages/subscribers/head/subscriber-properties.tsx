import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Properties } from '../../../components/page/properties.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { useOrganizationId } from '../../../frame/use-organization-id.ts'
import type { ActiveSubscription, Subscriber } from '../subscriber.ts'

export function SubscriberProperties({ subscriber }: { subscriber: Subscriber }) {
  const { subscriberId, activeSubscription, createdAt } = subscriber
  return (
    <Properties
      items={[
        ['Id', <KeyText key="id" value={subscriberId} max={64} copy="subscriber id" />],
        ['Plan', activeSubscription ? <Plan key="plan" subscription={activeSubscription} /> : 'no plan'],
        ['Created', <Moment key="created" at={createdAt} />],
      ]}
    />
  )
}

function Plan({ subscription: { planId, createdAt, createdBy } }: { subscription: ActiveSubscription }) {
  const organizationId = useOrganizationId()
  return (
    <>
      <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: planId }}>
        {planId}
      </Link>
      <Text span c="dimmed">
        {' '}
        since <Moment at={createdAt} />
        {createdBy && `, by ${createdBy.displayName}`}
      </Text>
    </>
  )
}
