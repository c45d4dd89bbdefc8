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
  valueType?: ValueType | null | undefined;
};

export type DeleteFeatureInput = {
  key: string;
};

export type FeatureKind =
  | 'CONFIG'
  | 'FLAG'
  | 'LIMIT';

export type UpdateFeatureInput = {
  description?: string | null | undefined;
  expectedUpdatedAt?: string | null | undefined;
  key: string;
  name?: string | null | undefined;
  options?: Array<string> | null | undefined;
};

export type ValueType =
  | 'BOOLEAN'
  | 'ENUM'
  | 'JSON'
  | 'NUMBER'
  | 'STRING';

export type FeaturesQueryVariables = Exact<{ [key: string]: never; }>;


export type FeaturesQuery = { features: Array<{ key: string, name: string, description: string, kind: FeatureKind, valueType: ValueType | null, options: Array<string> | null, createdAt: string, updatedAt: string }> | null };

export type FeatureGrantsQueryVariables = Exact<{ [key: string]: never; }>;


export type FeatureGrantsQuery = { plans: Array<{ key: string, name: string, archivedAt: string | null, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> }> | null };

export type FeatureQueryVariables = Exact<{
  key: string;
}>;


export type FeatureQuery = { feature: { key: string, name: string, description: string, kind: FeatureKind, valueType: ValueType | null, options: Array<string> | null, createdAt: string, updatedAt: string } | null };

export type CreateFeatureMutationVariables = Exact<{
  input: CreateFeatureInput;
}>;


export type CreateFeatureMutation = { createFeature: { key: string } | null };

export type UpdateFeatureMutationVariables = Exact<{
  input: UpdateFeatureInput;
}>;


export type UpdateFeatureMutation = { updateFeature: { key: string } | null };

export type DeleteFeatureMutationVariables = Exact<{
  input: DeleteFeatureInput;
}>;


export type DeleteFeatureMutation = { deleteFeature: string | null };

export type FeatureRowFragment = { key: string, name: string, description: string, kind: FeatureKind, valueType: ValueType | null, options: Array<string> | null, createdAt: string, updatedAt: string };

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
  createdAt
  updatedAt
}`)

export const FeatureGrantsDocument = new TypedDocument<FeatureGrantsQuery, FeatureGrantsQueryVariables>('FeatureGrants', `query FeatureGrants {
  plans(includeArchived: true) {
    key
    name
    archivedAt
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
  createdAt
  updatedAt
}`)

export const CreateFeatureDocument = new TypedDocument<CreateFeatureMutation, CreateFeatureMutationVariables>('CreateFeature', `mutation CreateFeature($input: CreateFeatureInput!) {
  createFeature(input: $input) {
    key
  }
}`)

export const UpdateFeatureDocument = new TypedDocument<UpdateFeatureMutation, UpdateFeatureMutationVariables>('UpdateFeature', `mutation UpdateFeature($input: UpdateFeatureInput!) {
  updateFeature(input: $input) {
    key
  }
}`)

export const DeleteFeatureDocument = new TypedDocument<DeleteFeatureMutation, DeleteFeatureMutationVariables>('DeleteFeature', `mutation DeleteFeature($input: DeleteFeatureInput!) {
  deleteFeature(input: $input)
}`)
