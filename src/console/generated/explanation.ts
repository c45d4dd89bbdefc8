// Made from pages/subscribers/explanation.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type DeleteOverrideInput = {
  expectedUpdatedAt?: string | null | undefined;
  featureKey: string;
  subscriberId: string;
};

export type EntitlementSource =
  | 'NONE'
  | 'OVERRIDE'
  | 'PLAN';

export type FeatureKind =
  | 'CONFIG'
  | 'FLAG'
  | 'LIMIT';

export type OverrideFilter = {
  expiresAfter?: string | null | undefined;
  expiresBefore?: string | null | undefined;
  feature?: string | null | undefined;
  live?: boolean | null | undefined;
  permanent?: boolean | null | undefined;
  subscriberId?: string | null | undefined;
};

export type PutOverrideInput = {
  allowed?: boolean | null | undefined;
  expectedUpdatedAt?: string | null | undefined;
  expiresAt?: string | null | undefined;
  featureKey: string;
  kind: FeatureKind;
  limit?: number | null | undefined;
  note?: string | null | undefined;
  startsAt?: string | null | undefined;
  subscriberId: string;
  value?: unknown;
};

export type ValueType =
  | 'BOOLEAN'
  | 'ENUM'
  | 'JSON'
  | 'NUMBER'
  | 'STRING';

export type ExplanationQueryVariables = Exact<{
  subscriberId: string;
  ifPlan?: string | null | undefined;
  at?: string | null | undefined;
}>;


export type ExplanationQuery = { explanation: { plan: string | null, validUntil: string | null, items: Array<{ feature: string, kind: FeatureKind, entitlement: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null }, beneath: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null } | null, planGrant: { feature: string, kind: FeatureKind, limit: number | null, value: unknown } | null, override: { id: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null, createdAt: string, updatedAt: string, setBy: { displayName: string, isServiceAccount: boolean, removed: boolean } | null } | null }> } | null };

export type CatalogNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type CatalogNamesQuery = { features: Array<{ key: string, name: string, kind: FeatureKind, valueType: ValueType | null, options: Array<string> | null, description: string, position: number | null }> | null };

export type GrantingPlansQueryVariables = Exact<{
  key: string;
}>;


export type GrantingPlansQuery = { feature: { grants: Array<{ planKey: string, grant: { kind: FeatureKind, limit: number | null, value: unknown } }> | null } | null };

export type StoredOverrideQueryVariables = Exact<{
  subscriberId: string;
  feature: string;
}>;


export type StoredOverrideQuery = { overrides: { nodes: Array<{ id: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null, createdAt: string, updatedAt: string, setBy: { displayName: string, isServiceAccount: boolean, removed: boolean } | null }> } | null };

export type OverridesOfSubscriberQueryVariables = Exact<{
  filter?: OverrideFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type OverridesOfSubscriberQuery = { overrides: { nodes: Array<{ id: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null, createdAt: string, updatedAt: string, setBy: { displayName: string, isServiceAccount: boolean, removed: boolean } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type PutOverrideMutationVariables = Exact<{
  input: PutOverrideInput;
}>;


export type PutOverrideMutation = { putOverride: { id: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null, createdAt: string, updatedAt: string, setBy: { displayName: string, isServiceAccount: boolean, removed: boolean } | null } | null };

export type DeleteOverrideMutationVariables = Exact<{
  input: DeleteOverrideInput;
}>;


export type DeleteOverrideMutation = { deleteOverride: string | null };

export type CheckQueryVariables = Exact<{
  subscriberId: string;
  feature: string;
}>;


export type CheckQuery = { check: { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null } | null };

export type AnsweredFragment = { feature: string, kind: FeatureKind, allowed: boolean, limit: number | null, value: unknown, source: EntitlementSource, expiresAt: string | null };

export type SetOverrideFragment = { id: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null, createdAt: string, updatedAt: string, setBy: { displayName: string, isServiceAccount: boolean, removed: boolean } | null };

export type ScheduledOverridesQueryVariables = Exact<{
  subscriberId: string;
  expiresAfter: string;
}>;


export type ScheduledOverridesQuery = { ending: { nodes: Array<{ id: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null, createdAt: string, updatedAt: string, setBy: { displayName: string, isServiceAccount: boolean, removed: boolean } | null }> } | null, permanent: { nodes: Array<{ id: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null, createdAt: string, updatedAt: string, setBy: { displayName: string, isServiceAccount: boolean, removed: boolean } | null }> } | null };

export const ExplanationDocument = new TypedDocument<ExplanationQuery, ExplanationQueryVariables>('Explanation', `query Explanation($subscriberId: ID!, $ifPlan: ID, $at: DateTime) {
  explanation(subscriberId: $subscriberId, ifPlan: $ifPlan, at: $at) {
    plan
    validUntil
    items {
      feature
      kind
      entitlement {
        ...Answered
      }
      beneath {
        ...Answered
      }
      planGrant {
        feature
        kind
        limit
        value
      }
      override {
        ...SetOverride
      }
    }
  }
}
fragment Answered on Entitlement {
  feature
  kind
  allowed
  limit
  value
  source
  expiresAt
}
fragment SetOverride on Override {
  id
  feature
  kind
  allowed
  limit
  value
  startsAt
  expiresAt
  note
  createdAt
  updatedAt
  setBy {
    displayName
    isServiceAccount
    removed
  }
}`)

export const CatalogNamesDocument = new TypedDocument<CatalogNamesQuery, CatalogNamesQueryVariables>('CatalogNames', `query CatalogNames {
  features {
    key
    name
    kind
    valueType
    options
    description
    position
  }
}`)

export const GrantingPlansDocument = new TypedDocument<GrantingPlansQuery, GrantingPlansQueryVariables>('GrantingPlans', `query GrantingPlans($key: ID!) {
  feature(key: $key) {
    grants {
      planKey
      grant {
        kind
        limit
        value
      }
    }
  }
}`)

export const StoredOverrideDocument = new TypedDocument<StoredOverrideQuery, StoredOverrideQueryVariables>('StoredOverride', `query StoredOverride($subscriberId: ID!, $feature: ID!) {
  overrides(filter: {subscriberId: $subscriberId, feature: $feature}, first: 1) {
    nodes {
      ...SetOverride
    }
  }
}
fragment SetOverride on Override {
  id
  feature
  kind
  allowed
  limit
  value
  startsAt
  expiresAt
  note
  createdAt
  updatedAt
  setBy {
    displayName
    isServiceAccount
    removed
  }
}`)

export const OverridesOfSubscriberDocument = new TypedDocument<OverridesOfSubscriberQuery, OverridesOfSubscriberQueryVariables>('OverridesOfSubscriber', `query OverridesOfSubscriber($filter: OverrideFilter, $after: String) {
  overrides(filter: $filter, first: 100, after: $after) {
    nodes {
      ...SetOverride
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
fragment SetOverride on Override {
  id
  feature
  kind
  allowed
  limit
  value
  startsAt
  expiresAt
  note
  createdAt
  updatedAt
  setBy {
    displayName
    isServiceAccount
    removed
  }
}`)

export const PutOverrideDocument = new TypedDocument<PutOverrideMutation, PutOverrideMutationVariables>('PutOverride', `mutation PutOverride($input: PutOverrideInput!) {
  putOverride(input: $input) {
    ...SetOverride
  }
}
fragment SetOverride on Override {
  id
  feature
  kind
  allowed
  limit
  value
  startsAt
  expiresAt
  note
  createdAt
  updatedAt
  setBy {
    displayName
    isServiceAccount
    removed
  }
}`)

export const DeleteOverrideDocument = new TypedDocument<DeleteOverrideMutation, DeleteOverrideMutationVariables>('DeleteOverride', `mutation DeleteOverride($input: DeleteOverrideInput!) {
  deleteOverride(input: $input)
}`)

export const CheckDocument = new TypedDocument<CheckQuery, CheckQueryVariables>('Check', `query Check($subscriberId: ID!, $feature: ID!) {
  check(subscriberId: $subscriberId, feature: $feature) {
    ...Answered
  }
}
fragment Answered on Entitlement {
  feature
  kind
  allowed
  limit
  value
  source
  expiresAt
}`)

export const ScheduledOverridesDocument = new TypedDocument<ScheduledOverridesQuery, ScheduledOverridesQueryVariables>('ScheduledOverrides', `query ScheduledOverrides($subscriberId: ID!, $expiresAfter: DateTime!) {
  ending: overrides(
    filter: {subscriberId: $subscriberId, live: false, expiresAfter: $expiresAfter}
    first: 50
  ) {
    nodes {
      ...SetOverride
    }
  }
  permanent: overrides(
    filter: {subscriberId: $subscriberId, live: false, permanent: true}
    first: 50
  ) {
    nodes {
      ...SetOverride
    }
  }
}
fragment SetOverride on Override {
  id
  feature
  kind
  allowed
  limit
  value
  startsAt
  expiresAt
  note
  createdAt
  updatedAt
  setBy {
    displayName
    isServiceAccount
    removed
  }
}`)
