// Made from pages/features/features.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CreateFeatureInput = {
  description?: string | null | undefined;
  key: string;
  kind: FeatureKind;
  name: string;
  options?: Array<string> | null | undefined;
  position?: number | null | undefined;
  valueType?: ValueType | null | undefined;
};

export type DeleteFeatureInput = {
  key: string;
};

export type DeleteOverrideInput = {
  expectedUpdatedAt?: string | null | undefined;
  featureKey: string;
  subscriberId: string;
};

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

export type OverrideOrder =
  | 'EXPIRES'
  | 'FEATURE';

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

export type UpdateFeatureInput = {
  description?: string | null | undefined;
  expectedUpdatedAt?: string | null | undefined;
  key: string;
  name?: string | null | undefined;
  options?: Array<string> | null | undefined;
  position?: number | null | undefined;
};

export type ValueType =
  | 'BOOLEAN'
  | 'ENUM'
  | 'JSON'
  | 'NUMBER'
  | 'STRING';

export type FeaturesQueryVariables = Exact<{ [key: string]: never; }>;


export type FeaturesQuery = { features: Array<{ key: string, name: string, description: string, kind: FeatureKind, valueType: ValueType | null, options: Array<string> | null, position: number | null, createdAt: string, updatedAt: string }> | null };

export type FeatureGrantsQueryVariables = Exact<{ [key: string]: never; }>;


export type FeatureGrantsQuery = { plans: Array<{ key: string, name: string, archivedAt: string | null, position: number | null, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> }> | null };

export type FeatureQueryVariables = Exact<{
  key: string;
}>;


export type FeatureQuery = { feature: { key: string, name: string, description: string, kind: FeatureKind, valueType: ValueType | null, options: Array<string> | null, position: number | null, createdAt: string, updatedAt: string } | null };

export type FeatureUsageQueryVariables = Exact<{
  key: string;
}>;


export type FeatureUsageQuery = { evalUsageByFeature: { from: string, features: Array<{ granted: number, denied: number, days: Array<{ date: string, granted: number, denied: number }> }> } | null };

export type FeatureDenialsQueryVariables = Exact<{
  key: string;
}>;


export type FeatureDenialsQuery = { plans: Array<{ key: string, name: string, position: number | null, subscriberCount: { value: number, isExact: boolean } | null, grants: Array<{ feature: string }> }> | null, feature: { denials: Array<{ subscriberId: string, name: string | null, count: number }> | null } | null };

export type FeatureOverrideCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type FeatureOverrideCountsQuery = { features: Array<{ key: string, overrideCount: { value: number, isExact: boolean } | null }> | null };

export type FeatureOverridesQueryVariables = Exact<{
  filter?: OverrideFilter | null | undefined;
  order?: OverrideOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type FeatureOverridesQuery = { overrides: { nodes: Array<{ id: string, subscriberId: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null, updatedAt: string, subscriber: { name: string | null } | null, setBy: { displayName: string } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type CleanUpOverridesQueryVariables = Exact<{
  filter?: OverrideFilter | null | undefined;
  order?: OverrideOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type CleanUpOverridesQuery = { overrides: { nodes: Array<{ id: string, subscriberId: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null, updatedAt: string, subscriber: { name: string | null, activeSubscription: { planId: string } | null } | null, setBy: { displayName: string } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type CleanUpCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type CleanUpCountsQuery = { counts: { liveOverrides: { value: number, isExact: boolean } | null } | null };

export type RemoveFeatureOverrideMutationVariables = Exact<{
  input: DeleteOverrideInput;
}>;


export type RemoveFeatureOverrideMutation = { deleteOverride: string | null };

export type PutFeatureOverrideMutationVariables = Exact<{
  input: PutOverrideInput;
}>;


export type PutFeatureOverrideMutation = { putOverride: { id: string } | null };

export type CreateFeatureMutationVariables = Exact<{
  input: CreateFeatureInput;
}>;


export type CreateFeatureMutation = { createFeature: { key: string } | null };

export type UpdateFeatureMutationVariables = Exact<{
  input: UpdateFeatureInput;
}>;


export type UpdateFeatureMutation = { updateFeature: { key: string, updatedAt: string } | null };

export type DeleteFeatureMutationVariables = Exact<{
  input: DeleteFeatureInput;
}>;


export type DeleteFeatureMutation = { deleteFeature: string | null };

export type FeatureRowFragment = { key: string, name: string, description: string, kind: FeatureKind, valueType: ValueType | null, options: Array<string> | null, position: number | null, createdAt: string, updatedAt: string };

export type OverrideRowFragment = { id: string, subscriberId: string, feature: string, kind: FeatureKind, allowed: boolean | null, limit: number | null, value: unknown, startsAt: string | null, expiresAt: string | null, note: string | null, updatedAt: string, subscriber: { name: string | null } | null, setBy: { displayName: string } | null };

export const FeaturesDocument = new TypedDocument<FeaturesQuery, FeaturesQueryVariables>('Features', `query Features {
  features {
    ...FeatureRow
  }
}
fragment FeatureRow on Feature {
  key
  name
  description
  kind
  valueType
  options
  position
  createdAt
  updatedAt
}`)

export const FeatureGrantsDocument = new TypedDocument<FeatureGrantsQuery, FeatureGrantsQueryVariables>('FeatureGrants', `query FeatureGrants {
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

export const FeatureDocument = new TypedDocument<FeatureQuery, FeatureQueryVariables>('Feature', `query Feature($key: ID!) {
  feature(key: $key) {
    ...FeatureRow
  }
}
fragment FeatureRow on Feature {
  key
  name
  description
  kind
  valueType
  options
  position
  createdAt
  updatedAt
}`)

export const FeatureUsageDocument = new TypedDocument<FeatureUsageQuery, FeatureUsageQueryVariables>('FeatureUsage', `query FeatureUsage($key: ID!) {
  evalUsageByFeature(feature: $key) {
    from
    features {
      granted
      denied
      days {
        date
        granted
        denied
      }
    }
  }
}`)

export const FeatureDenialsDocument = new TypedDocument<FeatureDenialsQuery, FeatureDenialsQueryVariables>('FeatureDenials', `query FeatureDenials($key: ID!) {
  plans(includeArchived: true) {
    key
    name
    position
    subscriberCount {
      value
      isExact
    }
    grants {
      feature
    }
  }
  feature(key: $key) {
    denials {
      subscriberId
      name
      count
    }
  }
}`)

export const FeatureOverrideCountsDocument = new TypedDocument<FeatureOverrideCountsQuery, FeatureOverrideCountsQueryVariables>('FeatureOverrideCounts', `query FeatureOverrideCounts {
  features {
    key
    overrideCount {
      value
      isExact
    }
  }
}`)

export const FeatureOverridesDocument = new TypedDocument<FeatureOverridesQuery, FeatureOverridesQueryVariables>('FeatureOverrides', `query FeatureOverrides($filter: OverrideFilter, $order: OverrideOrder, $first: Int, $after: String) {
  overrides(filter: $filter, order: $order, first: $first, after: $after) {
    nodes {
      ...OverrideRow
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
fragment OverrideRow on Override {
  id
  subscriberId
  subscriber {
    name
  }
  feature
  kind
  allowed
  limit
  value
  startsAt
  expiresAt
  note
  updatedAt
  setBy {
    displayName
  }
}`)

export const CleanUpOverridesDocument = new TypedDocument<CleanUpOverridesQuery, CleanUpOverridesQueryVariables>('CleanUpOverrides', `query CleanUpOverrides($filter: OverrideFilter, $order: OverrideOrder, $first: Int, $after: String) {
  overrides(filter: $filter, order: $order, first: $first, after: $after) {
    nodes {
      ...OverrideRow
      subscriber {
        activeSubscription {
          planId
        }
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
fragment OverrideRow on Override {
  id
  subscriberId
  subscriber {
    name
  }
  feature
  kind
  allowed
  limit
  value
  startsAt
  expiresAt
  note
  updatedAt
  setBy {
    displayName
  }
}`)

export const CleanUpCountsDocument = new TypedDocument<CleanUpCountsQuery, CleanUpCountsQueryVariables>('CleanUpCounts', `query CleanUpCounts {
  counts {
    liveOverrides {
      value
      isExact
    }
  }
}`)

export const RemoveFeatureOverrideDocument = new TypedDocument<RemoveFeatureOverrideMutation, RemoveFeatureOverrideMutationVariables>('RemoveFeatureOverride', `mutation RemoveFeatureOverride($input: DeleteOverrideInput!) {
  deleteOverride(input: $input)
}`)

export const PutFeatureOverrideDocument = new TypedDocument<PutFeatureOverrideMutation, PutFeatureOverrideMutationVariables>('PutFeatureOverride', `mutation PutFeatureOverride($input: PutOverrideInput!) {
  putOverride(input: $input) {
    id
  }
}`)

export const CreateFeatureDocument = new TypedDocument<CreateFeatureMutation, CreateFeatureMutationVariables>('CreateFeature', `mutation CreateFeature($input: CreateFeatureInput!) {
  createFeature(input: $input) {
    key
  }
}`)

export const UpdateFeatureDocument = new TypedDocument<UpdateFeatureMutation, UpdateFeatureMutationVariables>('UpdateFeature', `mutation UpdateFeature($input: UpdateFeatureInput!) {
  updateFeature(input: $input) {
    key
    updatedAt
  }
}`)

export const DeleteFeatureDocument = new TypedDocument<DeleteFeatureMutation, DeleteFeatureMutationVariables>('DeleteFeature', `mutation DeleteFeature($input: DeleteFeatureInput!) {
  deleteFeature(input: $input)
}`)
