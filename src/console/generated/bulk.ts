// Made from pages/subscribers/bulk/bulk.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type FeatureKind =
  | 'CONFIG'
  | 'FLAG'
  | 'LIMIT';

export type SubscriberFilter = {
  planId?: string | null | undefined;
  search?: string | null | undefined;
  text?: string | null | undefined;
  withOverrideOf?: string | null | undefined;
  withoutOverrideOf?: Array<string> | null | undefined;
  withoutPlan?: boolean | null | undefined;
};

export type ValueType =
  | 'BOOLEAN'
  | 'ENUM'
  | 'JSON'
  | 'NUMBER'
  | 'STRING';

export type BulkCatalogQueryVariables = Exact<{ [key: string]: never; }>;


export type BulkCatalogQuery = { features: Array<{ key: string, name: string, kind: FeatureKind, valueType: ValueType | null, options: Array<string> | null, position: number | null }> | null, plans: Array<{ key: string, name: string, archivedAt: string | null, position: number | null, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> }> | null };

export type BulkSubscribersQueryVariables = Exact<{
  filter?: SubscriberFilter | null | undefined;
  withOverrides: boolean;
  after?: string | null | undefined;
}>;


export type BulkSubscribersQuery = { subscribers: { nodes: Array<{ subscriberId: string, name: string | null, activeSubscription: { planId: string } | null, overrides?: Array<{ feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null }> | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type BulkSubscriberByIdQueryVariables = Exact<{
  subscriberId: string;
  withOverrides: boolean;
}>;


export type BulkSubscriberByIdQuery = { subscriber: { subscriberId: string, name: string | null, activeSubscription: { planId: string } | null, overrides?: Array<{ feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null }> | null } | null };

export type BulkSubscriberFragment = { subscriberId: string, name: string | null, activeSubscription: { planId: string } | null, overrides?: Array<{ feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null }> | null };

export const BulkCatalogDocument = new TypedDocument<BulkCatalogQuery, BulkCatalogQueryVariables>('BulkCatalog', `query BulkCatalog {
  features {
    key
    name
    kind
    valueType
    options
    position
  }
  plans(includeArchived: true) {
    key
    name
    archivedAt
    position
    grants {
      feature
      kind
      limit
      value
    }
  }
}`)

export const BulkSubscribersDocument = new TypedDocument<BulkSubscribersQuery, BulkSubscribersQueryVariables>('BulkSubscribers', `query BulkSubscribers($filter: SubscriberFilter, $withOverrides: Boolean!, $after: String) {
  subscribers(filter: $filter, first: 100, after: $after) {
    nodes {
      ...BulkSubscriber
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
fragment BulkSubscriber on Subscriber {
  subscriberId
  name
  activeSubscription {
    planId
  }
  overrides(includeExpired: true) @include(if: $withOverrides) {
    feature
    kind
    allowed
    limit
    value
    startsAt
    expiresAt
    note
  }
}`)

export const BulkSubscriberByIdDocument = new TypedDocument<BulkSubscriberByIdQuery, BulkSubscriberByIdQueryVariables>('BulkSubscriberById', `query BulkSubscriberById($subscriberId: ID!, $withOverrides: Boolean!) {
  subscriber(subscriberId: $subscriberId) {
    ...BulkSubscriber
  }
}
fragment BulkSubscriber on Subscriber {
  subscriberId
  name
  activeSubscription {
    planId
  }
  overrides(includeExpired: true) @include(if: $withOverrides) {
    feature
    kind
    allowed
    limit
    value
    startsAt
    expiresAt
    note
  }
}`)
