// Made from components/feature/feature-names.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type FeatureNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type FeatureNamesQuery = { features: Array<{ key: string, name: string }> | null };

export const FeatureNamesDocument = new TypedDocument<FeatureNamesQuery, FeatureNamesQueryVariables>('FeatureNames', `query FeatureNames {
  features {
    key
    name
  }
}`)
