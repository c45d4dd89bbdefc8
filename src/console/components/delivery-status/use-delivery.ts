import { DeliveryToSubscriberDocument, type DeliveryToSubscriberQuery } from '../../generated/delivery-status.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'

type SubscriberDelivery = NonNullable<NonNullable<DeliveryToSubscriberQuery['subscriber']>['delivery']>

/** The delivery of the newest event about a subscriber itself, or about its plan. */
export type Delivery = Omit<SubscriberDelivery, 'planChange'> & { change: 'newest' | 'earlier' | 'of plan' }

/** Whether the vendor's product received the newest changes of a subscriber. `deliveries` is empty if that is unknown. */
export function useDeliveries(subscriberId: string, { enabled = true } = {}) {
  const mayRead = useMay('overrides:read') && enabled
  const { data, error } = useOrganizationQuery(DeliveryToSubscriberDocument, { subscriberId }, { enabled: mayRead })
  const { delivery } = data?.subscriber ?? {}
  return {
    deliveries: delivery ? toDeliveries(delivery) : [],
    isSettled: !mayRead || data !== undefined || error !== null,
  }
}

/**
 * The delivery of the newest change, followed by the other delivery if that one is undelivered and needs a remedy of its own.
 */
export function toDeliveries({ planChange, ...own }: SubscriberDelivery): Delivery[] {
  if (!planChange) return [{ ...own, change: 'newest' }]
  const ofPlan = { ...planChange, change: 'of plan' } as const
  const isOfPlan = own.state === 'NONE' || (planChange.occurredAt ?? '') > (own.occurredAt ?? '')
  const deliveries = isOfPlan
    ? ([ofPlan, { ...own, change: 'earlier' }] as const)
    : ([{ ...own, change: 'newest' }, ofPlan] as const)
  const [newest, other] = deliveries
  const haveSameRemedy = newest.state === 'PAUSED' && other.state === 'PAUSED'
  return isUndelivered(other) && !haveSameRemedy ? [...deliveries] : [newest]
}

const changes = { newest: 'the newest change', earlier: 'an earlier change', 'of plan': 'the plan’s newest change' }

/** Whether the product may still answer as before the newest change. */
export function isUndelivered({ state }: Pick<Delivery, 'state'>): boolean {
  return state === 'PAUSED' || state === 'RETRYING' || state === 'QUEUED' || state === 'FAILED'
}

/** The delivery's state as a sentence, without its time. */
export function describeDelivery({ state, change }: Delivery): string {
  const what = changes[change]
  switch (state) {
    case 'DELIVERED':
      return `Your product was told of ${what}`
    case 'PAUSED':
      return `Your product has not been told of ${what}: deliveries are paused`
    case 'RETRYING':
      return `Your product has not been told of ${what}: an attempt failed, and another is due`
    case 'QUEUED':
      return `Your product is being told of ${what}`
    case 'FAILED':
      return `Your product was never told of ${what}: it accepted none of the attempts`
    case 'NONE':
      return 'Your product was told of no change: no webhook is connected, or nothing was sent about this subscriber'
  }
}

/** The time that belongs to the state: when the state began, or when the next attempt is due. */
export function timeOfState({ state, deliveredAt, nextAttemptAt, pausedAt }: Delivery): string | null {
  if (state === 'DELIVERED') return deliveredAt
  if (state === 'RETRYING') return nextAttemptAt
  return state === 'PAUSED' ? pausedAt : null
}
