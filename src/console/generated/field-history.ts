// Made from components/history/field-history.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type FeatureHistoryQueryVariables = Exact<{
  key: string;
  after?: string | null | undefined;
}>;


export type FeatureHistoryQuery = { feature: { history: { nodes: Array<{ id: string, at: string, feature: string | null, plan: string | null, field: string, from: unknown, to: unknown, note: string | null, by: { displayName: string } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null } | null };

export type PlanHistoryQueryVariables = Exact<{
  key: string;
  after?: string | null | undefined;
}>;


export type PlanHistoryQuery = { plan: { history: { nodes: Array<{ id: string, at: string, feature: string | null, plan: string | null, field: string, from: unknown, to: unknown, note: string | null, by: { displayName: string } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null } | null };

export type FieldChangeFragment = { id: string, at: string, feature: string | null, plan: string | null, field: string, from: unknown, to: unknown, note: string | null, by: { displayName: string } | null };

export const FeatureHistoryDocument = new TypedDocument<FeatureHistoryQuery, FeatureHistoryQueryVariables>('FeatureHistory', `query FeatureHistory($key: ID!, $after: String) {
  feature(key: $key) {
    history(first: 50, after: $after, withPlans: true) {
      nodes {
        ...FieldChange
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
}
fragment FieldChange on FieldItem {
  id
  at
  feature
  plan
  field
  from
  to
  note
  by {
    displayName
  }
}`)

export const PlanHistoryDocument = new TypedDocument<PlanHistoryQuery, PlanHistoryQueryVariables>('PlanHistory', `query PlanHistory($key: ID!, $after: String) {
  plan(key: $key) {
    history(first: 50, after: $after) {
      nodes {
        ...FieldChange
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
}
fragment FieldChange on FieldItem {
  id
  at
  feature
  plan
  field
  from
  to
  note
  by {
    displayName
  }
}`)
