import { getRouteApi } from '@tanstack/react-router'
import { BackLink } from '../../components/page/back-link.tsx'
import { ObjectLoaded } from '../../components/page/object-loaded.tsx'
import { ReadOnlyNotice } from '../../frame/read-only-notice.tsx'
import { SubscriberDocument } from '../../generated/subscribers.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { SubscriberHeader } from './head/subscriber-header.tsx'
import { SubscriberProperties } from './head/subscriber-properties.tsx'
import { SubscriberTabs } from './head/subscriber-tabs.tsx'

const route = getRouteApi('/o/$organizationId/subscribers/$subscriberId')

export function SubscriberPage() {
  const { organizationId, subscriberId } = route.useParams()
  const query = useOrganizationQuery(SubscriberDocument, { subscriberId })
  const above = (
    <BackLink to="/o/$organizationId/subscribers" params={{ organizationId }}>
      Subscribers
    </BackLink>
  )
  return (
    <ObjectLoaded query={query} id={subscriberId} above={above}>
      {({ subscriber }) => (
        <>
          <SubscriberHeader subscriber={subscriber} above={above} />
          <ReadOnlyNotice label="subscribers:write" what="change subscribers" />
          <SubscriberProperties subscriber={subscriber} />
          <SubscriberTabs key={subscriberId} />
        </>
      )}
    </ObjectLoaded>
  )
}
