// Made from pages/subscribers/subscribers.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type FeatureKind =
  | 'CONFIG'
  | 'FLAG'
  | 'LIMIT';

export type SubscribersQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type SubscribersQuery = { subscribers: { nodes: Array<{ subscriberId: string, name: string | null, createdAt: string, activeSubscription: { planId: string } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type SubscriberQueryVariables = Exact<{
  subscriberId: string;
}>;


export type SubscriberQuery = { subscriber: { subscriberId: string, name: string | null, createdAt: string, activeSubscription: { planId: string, createdAt: string } | null, overrides: Array<{ id: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, expiresAt: string | null, updatedAt: string }> | null } | null };

export const SubscribersDocument = new TypedDocument<SubscribersQuery, SubscribersQueryVariables>('Subscribers', `query Subscribers($after: String) {
  subscribers(first: 100, after: $after) {
    nodes {
      subscriberId
      name
      createdAt
      activeSubscription {
        planId
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`)

export const SubscriberDocument = new TypedDocument<SubscriberQuery, SubscriberQueryVariables>('Subscriber', `query Subscriber($subscriberId: ID!) {
  subscriber(subscriberId: $subscriberId) {
    subscriberId
    name
    createdAt
    activeSubscription {
      planId
      createdAt
    }
    overrides {
      id
      feature
      kind
      allowed
      limit
      value
      expiresAt
      updatedAt
    }
  }
}`)
