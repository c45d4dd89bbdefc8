// Made from pages/plans/plans.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type FeatureKind =
  | 'CONFIG'
  | 'FLAG'
  | 'LIMIT';

export type PlansQueryVariables = Exact<{
  includeArchived: boolean;
}>;


export type PlansQuery = { plans: Array<{ key: string, name: string, kind: string, archivedAt: string | null, updatedAt: string, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> }> | null };

export type PlanQueryVariables = Exact<{
  key: string;
}>;


export type PlanQuery = { plan: { key: string, name: string, kind: string, archivedAt: string | null, updatedAt: string, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> } | null };

export type PlanRowFragment = { key: string, name: string, kind: string, archivedAt: string | null, updatedAt: string, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> };

export const PlansDocument = new TypedDocument<PlansQuery, PlansQueryVariables>('Plans', `query Plans($includeArchived: Boolean!) {
  plans(includeArchived: $includeArchived) {
    ...PlanRow
  }
}
fragment PlanRow on Plan {
  key
  name
  kind
  archivedAt
  updatedAt
  grants {
    feature
    kind
    limit
    value
  }
}`)

export const PlanDocument = new TypedDocument<PlanQuery, PlanQueryVariables>('Plan', `query Plan($key: ID!) {
  plan(key: $key) {
    ...PlanRow
  }
}
fragment PlanRow on Plan {
  key
  name
  kind
  archivedAt
  updatedAt
  grants {
    feature
    kind
    limit
    value
  }
}`)
