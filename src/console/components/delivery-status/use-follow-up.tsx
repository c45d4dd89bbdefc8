import type { ReactNode } from 'react'
import { isServerError } from '../../api/errors.ts'
import { DeliveryToSubscriberDocument } from '../../generated/delivery-status.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { request } from '../../session/request.ts'
import { useMay } from '../../session/viewer.ts'
import { DeliveryStatus } from './delivery-status.tsx'

/**
 * Returns a function to call before a write to a subscriber. It resolves to the part of the confirmation that shows whether
 * the vendor's product received the write. It does nothing for roles that may not read overrides.
 */
export function useFollowUp() {
  const organizationId = useOrganizationId()
  const mayRead = useMay('overrides:read')
  const maySeeEvents = useMay('webhooks:read')

  return async function followUp(subscriberId: string): Promise<ReactNode> {
    if (!mayRead) return null
    try {
      const newestBefore = await findNewestEventId(subscriberId)
      return <DeliveryStatus {...{ organizationId, subscriberId, maySeeEvents, newestBefore }} />
    } catch {
      // The write does not depend on this read.
      return null
    }
  }

  async function findNewestEventId(subscriberId: string): Promise<string | null> {
    try {
      const { subscriber } = await request(DeliveryToSubscriberDocument, { subscriberId }, { organizationId })
      return subscriber.delivery?.eventId ?? null
    } catch (error) {
      // The subscriber is about to be created.
      if (isServerError(error, 'NOT_FOUND')) return null
      throw error
    }
  }
}
