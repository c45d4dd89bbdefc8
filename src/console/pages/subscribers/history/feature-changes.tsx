import { Group, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EntitlementHistoryDocument } from '../../../generated/history.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { ChangeLines } from './change-lines.tsx'

const shownChanges = 3

/** Shows the newest changes of one feature, or nothing if the feature never changed. */
export function FeatureChanges({ feature }: { feature: string }) {
  const organizationId = useOrganizationId()
  const { subscriberId } = useSubscriberSearch()
  const { data } = useOrganizationQuery(EntitlementHistoryDocument, { subscriberId, feature, first: shownChanges })
  const changes = data?.subscriber.history?.nodes ?? []
  if (changes.length === 0) return null
  return (
    <section aria-label="History of this feature">
      <Group justify="space-between" mb="xs">
        <Title order={2}>History</Title>
        <Link
          to="/o/$organizationId/subscribers/$subscriberId"
          params={{ organizationId, subscriberId }}
          search={{ tab: 'history', of: feature }}
        >
          All changes
        </Link>
      </Group>
      <ChangeLines changes={changes} label="Latest changes" />
    </section>
  )
}
