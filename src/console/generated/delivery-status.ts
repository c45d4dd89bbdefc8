// Made from components/delivery-status/delivery-status.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type WebhookEventState =
  | 'DELIVERED'
  | 'FAILED'
  | 'QUEUED';

export type WebhookPauseQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhookPauseQuery = { webhook: { disabled: boolean } | null };

export type EventsOfSubscriberQueryVariables = Exact<{
  subscriberId: string;
}>;


export type EventsOfSubscriberQuery = { webhookEvents: { nodes: Array<{ id: string, type: string, state: WebhookEventState, occurredAt: string, dueAt: string | null, finishedAt: string | null, attempts: Array<{ number: number, status: number | null, error: string | null }> }> } | null };

export const WebhookPauseDocument = new TypedDocument<WebhookPauseQuery, WebhookPauseQueryVariables>('WebhookPause', `query WebhookPause {
  webhook {
    disabled
  }
}`)

export const EventsOfSubscriberDocument = new TypedDocument<EventsOfSubscriberQuery, EventsOfSubscriberQueryVariables>('EventsOfSubscriber', `query EventsOfSubscriber($subscriberId: ID!) {
  webhookEvents(filter: {subscriberId: $subscriberId}, first: 1) {
    nodes {
      id
      type
      state
      occurredAt
      dueAt
      finishedAt
      attempts {
        number
        status
        error
      }
    }
  }
}`)
