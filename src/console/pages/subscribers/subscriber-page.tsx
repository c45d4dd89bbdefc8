import { getRouteApi } from '@tanstack/react-router'
import { useOrganizationQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { SubscriberDocument } from '../../generated/subscribers.ts'
import { SubscriberHeader } from './head/subscriber-header.tsx'
import { SubscriberProperties } from './head/subscriber-properties.tsx'
import { SubscriberTabs } from './head/subscriber-tabs.tsx'

const route = getRouteApi('/o/$organizationId/subscribers/$subscriberId')

export function SubscriberPage() {
  const { subscriberId } = route.useParams()
  const query = useOrganizationQuery(SubscriberDocument, { subscriberId })
  return (
    <Loaded query={query} skeleton={<TableSkeleton />}>
      {({ subscriber }) => (
        <>
          <SubscriberHeader subscriber={subscriber} />
          <ReadOnlyNotice label="subscribers:write" what="change subscribers" />
          <SubscriberProperties subscriber={subscriber} />
          <SubscriberTabs key={subscriberId} />
        </>
      )}
    </Loaded>
  )
}
