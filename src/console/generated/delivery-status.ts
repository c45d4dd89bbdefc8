// Made from components/delivery-status/delivery-status.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type DeliveryState =
  | 'DELIVERED'
  | 'FAILED'
  | 'NONE'
  | 'PAUSED'
  | 'QUEUED'
  | 'RETRYING';

export type DeliveryToSubscriberQueryVariables = Exact<{
  subscriberId: string;
}>;


export type DeliveryToSubscriberQuery = { subscriber: { delivery: { state: DeliveryState, eventId: string | null, occurredAt: string | null, deliveredAt: string | null, nextAttemptAt: string | null, pausedAt: string | null, planChange: { state: DeliveryState, eventId: string | null, occurredAt: string | null, deliveredAt: string | null, nextAttemptAt: string | null, pausedAt: string | null } | null } | null } | null };

export const DeliveryToSubscriberDocument = new TypedDocument<DeliveryToSubscriberQuery, DeliveryToSubscriberQueryVariables>('DeliveryToSubscriber', `query DeliveryToSubscriber($subscriberId: ID!) {
  subscriber(subscriberId: $subscriberId) {
    delivery {
      state
      eventId
      occurredAt
      deliveredAt
      nextAttemptAt
      pausedAt
      planChange {
        state
        eventId
        occurredAt
        deliveredAt
        nextAttemptAt
        pausedAt
      }
    }
  }
}`)
