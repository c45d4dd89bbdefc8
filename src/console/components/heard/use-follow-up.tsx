import { type ReactNode, useState } from 'react'
import { EventsOfSubscriberDocument } from '../../generated/heard.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { request } from '../../session/request.ts'
import { useMay } from '../../session/viewer.ts'
import { Heard } from './heard.tsx'

/**
 * `followUp` is called before a write to a subscriber, and answers what to show after it: whether the vendor's product heard
 * of it. Nothing for roles that may not see events.
 */
export function useFollowUp() {
  const organizationId = useOrganizationId()
  const maySeeEvents = useMay('webhooks:read')
  const [isAsking, setAsking] = useState(false)

  async function followUp(subscriberId: string): Promise<ReactNode> {
    if (!maySeeEvents) return null
    setAsking(true)
    try {
      const { webhookEvents } = await request(EventsOfSubscriberDocument, { subscriberId }, { organizationId })
      const newestBefore = webhookEvents.nodes[0]?.id ?? null
      return <Heard organizationId={organizationId} subscriberId={subscriberId} newestBefore={newestBefore} />
    } catch {
      // The write does not depend on it.
      return null
    } finally {
      setAsking(false)
    }
  }

  return { followUp, isAsking }
}
