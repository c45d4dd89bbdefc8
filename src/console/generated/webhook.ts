// Made from pages/webhook/webhook.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type WebhookEventState =
  | 'DELIVERED'
  | 'FAILED'
  | 'QUEUED';

export type WebhookQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhookQuery = { webhook: { url: string, secretPrefix: string, disabled: boolean, disabledAt: string | null, disabledByFailures: boolean, exhaustedInARow: number, updatedAt: string } | null };

export type WebhookEventsQueryVariables = Exact<{
  state?: WebhookEventState | null | undefined;
  after?: string | null | undefined;
}>;


export type WebhookEventsQuery = { webhookEvents: { nodes: Array<{ id: string, type: string, state: WebhookEventState, occurredAt: string, dueAt: string | null, attempts: Array<{ number: number, status: number | null, error: string | null }> }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export const WebhookDocument = new TypedDocument<WebhookQuery, WebhookQueryVariables>('Webhook', `query Webhook {
  webhook {
    url
    secretPrefix
    disabled
    disabledAt
    disabledByFailures
    exhaustedInARow
    updatedAt
  }
}`)

export const WebhookEventsDocument = new TypedDocument<WebhookEventsQuery, WebhookEventsQueryVariables>('WebhookEvents', `query WebhookEvents($state: WebhookEventState, $after: String) {
  webhookEvents(state: $state, first: 50, after: $after) {
    nodes {
      id
      type
      state
      occurredAt
      dueAt
      attempts {
        number
        status
        error
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`)
