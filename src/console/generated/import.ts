// Made from components/import/import.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type FeatureKind =
  | 'CONFIG'
  | 'FLAG'
  | 'LIMIT';

export type ImportLineInput = {
  name?: string | null | undefined;
  overrides?: Array<ImportOverrideInput> | null | undefined;
  planId?: string | null | undefined;
  subscriberId: string;
};

export type ImportOverrideInput = {
  allowed?: boolean | null | undefined;
  delete?: boolean | null | undefined;
  expectedUpdatedAt?: string | null | undefined;
  expiresAt?: string | null | undefined;
  feature: string;
  kind?: FeatureKind | null | undefined;
  limit?: number | null | undefined;
  note?: string | null | undefined;
  startsAt?: string | null | undefined;
  value?: unknown;
};

export type ImportSubscribersInput = {
  dryRun?: boolean | null | undefined;
  lines?: Array<ImportLineInput> | null | undefined;
  text?: string | null | undefined;
  withEach?: boolean | null | undefined;
};

export type ImportSubscribersMutationVariables = Exact<{
  input: ImportSubscribersInput;
}>;


export type ImportSubscribersMutation = { importSubscribers: { lines: number, created: number, updated: number, unchanged: number, failed: number, errors: Array<{ line: number, subscriberId: string | null, message: string }> } | null };

export const ImportSubscribersDocument = new TypedDocument<ImportSubscribersMutation, ImportSubscribersMutationVariables>('ImportSubscribers', `mutation ImportSubscribers($input: ImportSubscribersInput!) {
  importSubscribers(input: $input) {
    lines
    created
    updated
    unchanged
    failed
    errors {
      line
      subscriberId
      message
    }
  }
}`)
