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


export type EntitlementHistoryQuery = { subscriber: { history: { nodes: Array<{ id: string, at: string, cause: HistoryCause, feature: string | null, plan: string | null, note: string | null, by: { displayName: string } | null, from: { tooLarge: boolean, entitlement: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null } | null } | null, to: { tooLarge: boolean, entitlement: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null } | null } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null } | null };

export type EntitlementChangeFragment = { id: string, at: string, cause: HistoryCause, feature: string | null, plan: string | null, note: string | null, by: { displayName: string } | null, from: { tooLarge: boolean, entitlement: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null } | null } | null, to: { tooLarge: boolean, entitlement: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null } | null } | null };

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
  at
  cause
  feature
  plan
  note
  by {
    displayName
  }
  from {
    tooLarge
    entitlement {
      ...EntitlementThen
    }
  }
  to {
    tooLarge
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
