// Made from frame/search/search.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type SearchHitType =
  | 'AUDIT_EVENT'
  | 'FEATURE'
  | 'MEMBER'
  | 'PLAN'
  | 'SERVICE_ACCOUNT'
  | 'SUBSCRIBER';

export type SearchQueryVariables = Exact<{
  text: string;
  first: number;
}>;


export type SearchQuery = { search: { hits: Array<{ type: SearchHitType, id: string, name: string | null, context: string | null }> } | null };

export const SearchDocument = new TypedDocument<SearchQuery, SearchQueryVariables>('Search', `query Search($text: String!, $first: Int!) {
  search(text: $text, first: $first) {
    hits {
      type
      id
      name
      context
    }
  }
}`)
