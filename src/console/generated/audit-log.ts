// Made from pages/audit-log/audit-log.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type AuditLogCatalogQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditLogCatalogQuery = { features: Array<{ key: string, name: string }> | null, plans: Array<{ key: string, name: string }> | null };

export const AuditLogCatalogDocument = new TypedDocument<AuditLogCatalogQuery, AuditLogCatalogQueryVariables>('AuditLogCatalog', `query AuditLogCatalog {
  features {
    key
    name
  }
  plans(includeArchived: true) {
    key
    name
  }
}`)
