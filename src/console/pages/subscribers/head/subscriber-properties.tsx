import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Properties } from '../../../components/page/properties.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import type { ActiveSubscription, Subscriber } from '../subscriber.ts'

export function SubscriberProperties({ subscriber }: { subscriber: Subscriber }) {
  const { subscriberId, activeSubscription, createdAt } = subscriber
  const organizationId = useOrganizationId()
  return (
    <Properties
      items={[
        ['Id', <KeyText key="id" value={subscriberId} max={64} copy="subscriber id" />],
        ...(activeSubscription
          ? ([
              [
                'Plan',
                <Link
                  key="plan"
                  to="/o/$organizationId/plans/$planKey"
                  params={{ organizationId, planKey: activeSubscription.planId }}
                >
                  {activeSubscription.planId}
                </Link>,
              ],
              ['On it since', <Since key="since" subscription={activeSubscription} />],
            ] as const)
          : ([['Plan', 'no plan']] as const)),
        ['Created', <Moment key="created" at={createdAt} />],
      ]}
    />
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
