import { DeliveryToSubscriberDocument, type DeliveryToSubscriberQuery } from '../../generated/delivery-status.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'

export type Delivery = NonNullable<NonNullable<DeliveryToSubscriberQuery['subscriber']>['delivery']>

/** Whether the vendor's product was told of the newest change of a subscriber; null if that is not known. */
export function useDelivery(subscriberId: string, { enabled = true } = {}) {
  const mayRead = useMay('overrides:read') && enabled
  const { data, error } = useOrganizationQuery(DeliveryToSubscriberDocument, { subscriberId }, { enabled: mayRead })
  return { delivery: data?.subscriber.delivery ?? null, isSettled: !mayRead || data !== undefined || error !== null }
}

/** Whether the product may still answer as before the newest change. */
export function isUntold({ state }: Delivery): boolean {
  return state === 'PAUSED' || state === 'RETRYING' || state === 'QUEUED' || state === 'FAILED'
}

/** Without its time. */
export function describeDelivery({ state }: Delivery): string {
  switch (state) {
    case 'DELIVERED':
      return 'Your product was told of the newest change'
    case 'PAUSED':
      return 'Your product has not been told of the newest change: deliveries are paused'
    case 'RETRYING':
      return 'Your product has not been told of the newest change: an attempt failed, and another is due'
    case 'QUEUED':
      return 'Your product is being told of the newest change'
    case 'FAILED':
      return 'Your product was never told of the newest change: it accepted none of the attempts'
    case 'NONE':
      return 'Your product was told of no change: no webhook is connected, or nothing was sent about this subscriber'
  }
}

/** The time that belongs to the state: since when it is, or when the next attempt is due. */
export function momentOf({ state, deliveredAt, nextAttemptAt, pausedAt }: Delivery): string | null {
  if (state === 'DELIVERED') return deliveredAt
  if (state === 'RETRYING') return nextAttemptAt
  return state === 'PAUSED' ? pausedAt : null
}
