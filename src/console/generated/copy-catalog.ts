// Made from pages/plans/copy/copy-catalog.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CatalogChangeInput = {
  input?: unknown;
  key?: string | null | undefined;
  operation: CatalogOperation;
};

export type CatalogOperation =
  | 'ARCHIVE_PLAN'
  | 'CREATE_FEATURE'
  | 'CREATE_PLAN'
  | 'DELETE_FEATURE'
  | 'DELETE_PLAN'
  | 'UNARCHIVE_PLAN'
  | 'UPDATE_FEATURE'
  | 'UPDATE_PLAN';

export type FeatureKind =
  | 'CONFIG'
  | 'FLAG'
  | 'LIMIT';

export type PreviewCatalogInput = {
  changes: Array<CatalogChangeInput>;
};

export type ValueType =
  | 'BOOLEAN'
  | 'ENUM'
  | 'JSON'
  | 'NUMBER'
  | 'STRING';

export type CatalogToCopyQueryVariables = Exact<{ [key: string]: never; }>;


export type CatalogToCopyQuery = { features: Array<{ key: string, name: string, description: string, kind: FeatureKind, valueType: ValueType | null, options: Array<string> | null, position: number | null, updatedAt: string }> | null, plans: Array<{ key: string, name: string, kind: string, archivedAt: string | null, position: number | null, updatedAt: string, subscriberCount: { value: number, isExact: boolean } | null, grants: Array<{ feature: string, kind: FeatureKind, limit: number | null, value: unknown }> }> | null };

export type RefusedCopiesQueryVariables = Exact<{
  input: PreviewCatalogInput;
}>;


export type RefusedCopiesQuery = { previewCatalog: { refusals: Array<{ index: number, message: string, details: unknown }> } | null };

export const CatalogToCopyDocument = new TypedDocument<CatalogToCopyQuery, CatalogToCopyQueryVariables>('CatalogToCopy', `query CatalogToCopy {
  features {
    key
    name
    description
    kind
    valueType
    options
    position
    updatedAt
  }
  plans(includeArchived: true) {
    key
    name
    kind
    archivedAt
    position
    updatedAt
    subscriberCount {
      value
      isExact
    }
    grants {
      feature
      kind
      limit
      value
    }
  }
}`)

export const RefusedCopiesDocument = new TypedDocument<RefusedCopiesQuery, RefusedCopiesQueryVariables>('RefusedCopies', `query RefusedCopies($input: PreviewCatalogInput!) {
  previewCatalog(input: $input) {
    refusals {
      index
      message
      details
    }
  }
}`)
