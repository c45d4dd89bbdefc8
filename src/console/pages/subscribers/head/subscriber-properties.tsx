import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { toProperties } from '../../../components/form/fields.tsx'
import { Properties } from '../../../components/page/properties.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { PlanName } from '../plan/plan-name.tsx'
import { type ActiveSubscription, type Subscriber, subscriberFields } from '../subscriber.ts'

export function SubscriberProperties({ subscriber }: { subscriber: Subscriber }) {
  const { subscriberId, activeSubscription, createdAt } = subscriber
  return (
    <Properties
      items={[
        ['Id', <KeyText key="id" value={subscriberId} max={64} copy="subscriber id" />],
        ...toProperties(subscriberFields, subscriber),
        ['Plan', activeSubscription ? <PlanLink key="plan" subscription={activeSubscription} /> : 'no plan'],
        activeSubscription !== null && ['On this plan since', <Since key="since" subscription={activeSubscription} />],
        ['Created', <Moment key="created" at={createdAt} />],
      ]}
    />
  )
}

function PlanLink({ subscription: { planId, plan } }: { subscription: ActiveSubscription }) {
  const organizationId = useOrganizationId()
  return (
    <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: planId }}>
      <PlanName planId={planId} plan={plan} />
    </Link>
  )
}

function Since({ subscription: { createdAt, createdBy } }: { subscription: ActiveSubscription }) {
  return (
    <>
      <Moment at={createdAt} />
      {createdBy && (
        <Text span c="dimmed">
          {' '}
          by {createdBy.displayName}
        </Text>
      )}
    </>
  )
}
