// Made from pages/webhook/webhook.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type PutWebhookInput = {
  url: string;
};

export type ResendEventInput = {
  eventId: string;
};

export type ResendEventsInput = {
  occurredAfter?: string | null | undefined;
  occurredBefore?: string | null | undefined;
  state: WebhookEventState;
};

export type RetryEventInput = {
  eventId: string;
};

export type WebhookEventFilter = {
  occurredAfter?: string | null | undefined;
  occurredBefore?: string | null | undefined;
  subscriberId?: string | null | undefined;
  type?: string | null | undefined;
};

export type WebhookEventState =
  | 'DELIVERED'
  | 'FAILED'
  | 'QUEUED';

export type WebhookQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhookQuery = { webhook: { url: string, secretPrefix: string, disabled: boolean, disabledAt: string | null, disabledByFailures: boolean, exhaustedInARow: number, failuresToPause: number, createdAt: string, updatedAt: string } | null, webhookEventCounts: { queued: number, retrying: number, failed: number } | null };

export type WebhookEventsQueryVariables = Exact<{
  state?: WebhookEventState | null | undefined;
  filter?: WebhookEventFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type WebhookEventsQuery = { webhookEvents: { nodes: Array<{ id: string, type: string, state: WebhookEventState, occurredAt: string, dueAt: string | null, body: string, attempts: Array<{ number: number, status: number | null, error: string | null }> }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type DeliveryQueryVariables = Exact<{
  id: string;
}>;


export type DeliveryQuery = { webhookEvent: { finishedAt: string | null, id: string, type: string, state: WebhookEventState, occurredAt: string, dueAt: string | null, body: string, attempts: Array<{ number: number, status: number | null, error: string | null, startedAt: string, durationMs: number, answer: string | null, headers: unknown }> } | null };

export type PutWebhookMutationVariables = Exact<{
  input: PutWebhookInput;
}>;


export type PutWebhookMutation = { putWebhook: { secret: string | null } | null };

export type RotateWebhookMutationVariables = Exact<{ [key: string]: never; }>;


export type RotateWebhookMutation = { rotateWebhook: { secret: string | null } | null };

export type EnableWebhookMutationVariables = Exact<{ [key: string]: never; }>;


export type EnableWebhookMutation = { enableWebhook: { disabled: boolean } | null };

export type DisableWebhookMutationVariables = Exact<{ [key: string]: never; }>;


export type DisableWebhookMutation = { disableWebhook: { disabled: boolean } | null };

export type DeleteWebhookMutationVariables = Exact<{ [key: string]: never; }>;


export type DeleteWebhookMutation = { deleteWebhook: string | null };

export type SendTestEventMutationVariables = Exact<{ [key: string]: never; }>;


export type SendTestEventMutation = { sendTestEvent: { id: string } | null };

export type ResendEventMutationVariables = Exact<{
  input: ResendEventInput;
}>;


export type ResendEventMutation = { resendEvent: { id: string } | null };

export type ResendEventsMutationVariables = Exact<{
  input: ResendEventsInput;
}>;


export type ResendEventsMutation = { resendEvents: { resent: number, hasMore: boolean } | null };

export type NewestTestQueryVariables = Exact<{ [key: string]: never; }>;


export type NewestTestQuery = { webhookEvents: { nodes: Array<{ state: WebhookEventState, occurredAt: string, attempts: Array<{ status: number | null, error: string | null }> }> } | null };

export type RetryEventMutationVariables = Exact<{
  input: RetryEventInput;
}>;


export type RetryEventMutation = { retryEvent: { id: string } | null };

export type DeliveryRowFragment = { id: string, type: string, state: WebhookEventState, occurredAt: string, dueAt: string | null, body: string, attempts: Array<{ number: number, status: number | null, error: string | null }> };

export type DeliveryAttemptFragment = { startedAt: string, durationMs: number, answer: string | null, headers: unknown };

export type FollowersQueryVariables = Exact<{ [key: string]: never; }>;


export type FollowersQuery = { followers: { count: number, lastChange: unknown, handedOutAt: string | null, delayMs: number | null } | null };

export const WebhookDocument = new TypedDocument<WebhookQuery, WebhookQueryVariables>('Webhook', `query Webhook {
  webhook {
    url
    secretPrefix
    disabled
    disabledAt
    disabledByFailures
    exhaustedInARow
    failuresToPause
    createdAt
    updatedAt
  }
  webhookEventCounts {
    queued
    retrying
    failed
  }
}`)

export const WebhookEventsDocument = new TypedDocument<WebhookEventsQuery, WebhookEventsQueryVariables>('WebhookEvents', `query WebhookEvents($state: WebhookEventState, $filter: WebhookEventFilter, $after: String) {
  webhookEvents(state: $state, filter: $filter, first: 50, after: $after) {
    nodes {
      ...DeliveryRow
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
fragment DeliveryRow on WebhookEvent {
  id
  type
  state
  occurredAt
  dueAt
  body
  attempts {
    number
    status
    error
  }
}`)

export const DeliveryDocument = new TypedDocument<DeliveryQuery, DeliveryQueryVariables>('Delivery', `query Delivery($id: ID!) {
  webhookEvent(eventId: $id) {
    ...DeliveryRow
    finishedAt
    attempts {
      ...DeliveryAttempt
    }
  }
}
fragment DeliveryRow on WebhookEvent {
  id
  type
  state
  occurredAt
  dueAt
  body
  attempts {
    number
    status
    error
  }
}
fragment DeliveryAttempt on WebhookAttempt {
  startedAt
  durationMs
  answer
  headers
}`)

export const PutWebhookDocument = new TypedDocument<PutWebhookMutation, PutWebhookMutationVariables>('PutWebhook', `mutation PutWebhook($input: PutWebhookInput!) {
  putWebhook(input: $input) {
    secret
  }
}`)

export const RotateWebhookDocument = new TypedDocument<RotateWebhookMutation, RotateWebhookMutationVariables>('RotateWebhook', `mutation RotateWebhook {
  rotateWebhook {
    secret
  }
}`)

export const EnableWebhookDocument = new TypedDocument<EnableWebhookMutation, EnableWebhookMutationVariables>('EnableWebhook', `mutation EnableWebhook {
  enableWebhook {
    disabled
  }
}`)

export const DisableWebhookDocument = new TypedDocument<DisableWebhookMutation, DisableWebhookMutationVariables>('DisableWebhook', `mutation DisableWebhook {
  disableWebhook {
    disabled
  }
}`)

export const DeleteWebhookDocument = new TypedDocument<DeleteWebhookMutation, DeleteWebhookMutationVariables>('DeleteWebhook', `mutation DeleteWebhook {
  deleteWebhook
}`)

export const SendTestEventDocument = new TypedDocument<SendTestEventMutation, SendTestEventMutationVariables>('SendTestEvent', `mutation SendTestEvent {
  sendTestEvent {
    id
  }
}`)

export const ResendEventDocument = new TypedDocument<ResendEventMutation, ResendEventMutationVariables>('ResendEvent', `mutation ResendEvent($input: ResendEventInput!) {
  resendEvent(input: $input) {
    id
  }
}`)

export const ResendEventsDocument = new TypedDocument<ResendEventsMutation, ResendEventsMutationVariables>('ResendEvents', `mutation ResendEvents($input: ResendEventsInput!) {
  resendEvents(input: $input) {
    resent
    hasMore
  }
}`)

export const NewestTestDocument = new TypedDocument<NewestTestQuery, NewestTestQueryVariables>('NewestTest', `query NewestTest {
  webhookEvents(filter: {type: "webhook.test"}, first: 1) {
    nodes {
      state
      occurredAt
      attempts {
        status
        error
      }
    }
  }
}`)

export const RetryEventDocument = new TypedDocument<RetryEventMutation, RetryEventMutationVariables>('RetryEvent', `mutation RetryEvent($input: RetryEventInput!) {
  retryEvent(input: $input) {
    id
  }
}`)

export const FollowersDocument = new TypedDocument<FollowersQuery, FollowersQueryVariables>('Followers', `query Followers {
  followers {
    count
    lastChange
    handedOutAt
    delayMs
  }
}`)
