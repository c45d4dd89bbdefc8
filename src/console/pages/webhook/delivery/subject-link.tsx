import { Link } from '@tanstack/react-router'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { type Delivery, subjectOf } from '../webhook.ts'

/** To the subscriber or the plan that an event is about. */
export function SubjectLink({ delivery }: { delivery: Pick<Delivery, 'body'> }) {
  const organizationId = useOrganizationId()
  const { subscriber_id: subscriberId, key }: { subscriber_id?: string; key?: string } = JSON.parse(delivery.body)
  const text = shortenMiddle(subjectOf(delivery), 60)
  if (subscriberId !== undefined) {
    return (
      <Link to="/o/$organizationId/subscribers/$subscriberId" params={{ organizationId, subscriberId }}>
        {text}
      </Link>
    )
  }
  if (key === undefined) return 'nothing: a test'
  return (
    <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey: key }}>
      {text}
    </Link>
  )
}
