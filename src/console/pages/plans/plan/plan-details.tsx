import { Link } from '@tanstack/react-router'
import { toProperties } from '../../../components/form/fields.tsx'
import { Properties } from '../../../components/page/properties.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { PlanState } from '../../../components/text/state-badge.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { describeSubscribers } from '../count.ts'
import { type Plan, planFields } from '../plan.ts'

export function PlanDetails({ plan }: { plan: Plan }) {
  const organizationId = useOrganizationId()
  return (
    <Properties
      items={[
        ['Key', <KeyText key="key" value={plan.key} max={64} copy="key" />],
        ['Kind', plan.kind],
        ...toProperties(planFields, plan),
        ['State', <PlanState key="state" archivedAt={plan.archivedAt} />],
        [
          'Subscribers now',
          <Link
            key="subscribers"
            to="/o/$organizationId/subscribers"
            params={{ organizationId }}
            search={{ plan: plan.key }}
          >
            {plan.subscriberCount ? describeSubscribers(plan.subscriberCount) : 'Subscribers'}
          </Link>,
        ],
        ['Created', <Moment key="created" at={plan.createdAt} />],
        ['Changed', <Moment key="changed" at={plan.updatedAt} />],
      ]}
    />
  )
}
