// Made from pages/subscribers/history.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type EntitlementSource =
  | 'NONE'
  | 'OVERRIDE'
  | 'PLAN';

export type FeatureKind =
  | 'CONFIG'
  | 'FLAG'
  | 'LIMIT';

export type HistoryCause =
  | 'EXPIRY'
  | 'OVERRIDE'
  | 'PLAN'
  | 'SUBSCRIBER'
  | 'SUBSCRIPTION';

export type EntitlementHistoryQueryVariables = Exact<{
  subscriberId: string;
  feature?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type EntitlementHistoryQuery = { subscriber: { history: { nodes: Array<{ id: string, group: string, at: string, cause: HistoryCause, feature: string | null, plan: string | null, note: string | null, by: { memberId: string, displayName: string } | null, from: { entitlement: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null } } | null, to: { entitlement: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null } } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null } | null };

export type EntitlementChangeFragment = { id: string, group: string, at: string, cause: HistoryCause, feature: string | null, plan: string | null, note: string | null, by: { memberId: string, displayName: string } | null, from: { entitlement: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null } } | null, to: { entitlement: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null } } | null };

export type EntitlementThenFragment = { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null };

export const EntitlementHistoryDocument = new TypedDocument<EntitlementHistoryQuery, EntitlementHistoryQueryVariables>('EntitlementHistory', `query EntitlementHistory($subscriberId: ID!, $feature: ID, $first: Int, $after: String) {
  subscriber(subscriberId: $subscriberId) {
    history(feature: $feature, first: $first, after: $after) {
      nodes {
        ...EntitlementChange
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
}
fragment EntitlementChange on HistoryItem {
  id
  group
  at
  cause
  feature
  plan
  note
  by {
    memberId
    displayName
  }
  from {
    entitlement {
      ...EntitlementThen
    }
  }
  to {
    entitlement {
      ...EntitlementThen
    }
  }
}
fragment EntitlementThen on Entitlement {
  feature
  kind
  allowed
  limit
  value
  source
  expiresAt
}`)
