import type { ReactNode } from 'react'
import { EventsOfSubscriberDocument } from '../../generated/delivery-status.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { request } from '../../session/request.ts'
import { useMay } from '../../session/viewer.ts'
import { DeliveryStatus } from './delivery-status.tsx'

/**
 * Returns a function to call before a write to a subscriber. It resolves to what the toast shows: whether the vendor's
 * product was notified. It does nothing for roles that may not see events.
 */
export function useFollowUp() {
  const organizationId = useOrganizationId()
  const maySeeEvents = useMay('webhooks:read')

  return async function followUp(subscriberId: string): Promise<ReactNode> {
    if (!maySeeEvents) return null
    try {
      const { webhookEvents } = await request(EventsOfSubscriberDocument, { subscriberId }, { organizationId })
      const newestBefore = webhookEvents.nodes[0]?.id ?? null
      return <DeliveryStatus organizationId={organizationId} subscriberId={subscriberId} newestBefore={newestBefore} />
    } catch {
      // The write does not depend on it.
      return null
    }
  }
}
