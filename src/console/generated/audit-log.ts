// Made from pages/audit-log/audit-log.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type AuditEventFilter = {
  actorMemberId?: string | null | undefined;
  changed?: boolean | null | undefined;
  createdId?: string | null | undefined;
  lines?: boolean | null | undefined;
  method?: AuditMethod | null | undefined;
  object?: AuditObjectInput | null | undefined;
  occurredAfter?: string | null | undefined;
  occurredBefore?: string | null | undefined;
  outcome?: AuditOutcome | null | undefined;
  params?: Array<AuditParamInput> | null | undefined;
  requestId?: string | null | undefined;
  route?: string | null | undefined;
  service?: AuditService | null | undefined;
  withParts?: boolean | null | undefined;
};

export type AuditMethod =
  | 'DELETE'
  | 'GET'
  | 'PATCH'
  | 'POST'
  | 'PUT';

export type AuditObjectInput = {
  id?: string | null | undefined;
  type: AuditObjectType;
};

export type AuditObjectType =
  | 'API_KEY'
  | 'FEATURE'
  | 'INVITE'
  | 'MEMBER'
  | 'OVERRIDE'
  | 'PLAN'
  | 'SERVICE_ACCOUNT'
  | 'SUBSCRIBER'
  | 'SUBSCRIPTION'
  | 'WEBHOOK';

export type AuditOutcome =
  | 'NO_RESPONSE'
  | 'PENDING'
  | 'REJECTED'
  | 'RESPONDED';

export type AuditParamInput = {
  name: string;
  value: string;
};

export type AuditService =
  | 'API'
  | 'IDENTITY';

export type AuthType =
  | 'JWT'
  | 'MEMBER_APIKEY'
  | 'MEMBER_SESSION';

export type SearchHitType =
  | 'AUDIT_EVENT'
  | 'FEATURE'
  | 'MEMBER'
  | 'PLAN'
  | 'SERVICE_ACCOUNT'
  | 'SUBSCRIBER';

export type AuditLogCatalogQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditLogCatalogQuery = { features: Array<{ key: string, name: string, position: number | null }> | null, plans: Array<{ key: string, name: string, position: number | null }> | null };

export type AuditExportQueryVariables = Exact<{
  filter?: AuditEventFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type AuditExportQuery = { auditEvents: { nodes: Array<{ id: string, occurredAt: string, requestId: string, organizationId: string | null, service: AuditService, method: AuditMethod, route: string, ip: string, userAgent: string | null, outcome: AuditOutcome, status: number | null, details: unknown, createdId: string | null, actor: { memberId: string | null, authType: AuthType, keyPrefix: string | null, member: { displayName: string, isServiceAccount: boolean, removed: boolean } | null }, params: Array<{ name: string, value: string }> }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type MembersSoughtQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type MembersSoughtQuery = { members: { nodes: Array<{ memberId: string, displayName: string }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type SubscribersSoughtQueryVariables = Exact<{
  text: string;
}>;


export type SubscribersSoughtQuery = { search: { hits: Array<{ type: SearchHitType, id: string, name: string | null }> } | null };

export const AuditLogCatalogDocument = new TypedDocument<AuditLogCatalogQuery, AuditLogCatalogQueryVariables>('AuditLogCatalog', `query AuditLogCatalog {
  features {
    key
    name
    position
  }
  plans(includeArchived: true) {
    key
    name
    position
  }
}`)

export const AuditExportDocument = new TypedDocument<AuditExportQuery, AuditExportQueryVariables>('AuditExport', `query AuditExport($filter: AuditEventFilter, $after: String) {
  auditEvents(filter: $filter, first: 100, after: $after) {
    nodes {
      id
      occurredAt
      requestId
      organizationId
      actor {
        memberId
        authType
        keyPrefix
        member {
          displayName
          isServiceAccount
          removed
        }
      }
      service
      method
      route
      params {
        name
        value
      }
      ip
      userAgent
      outcome
      status
      details
      createdId
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`)

export const MembersSoughtDocument = new TypedDocument<MembersSoughtQuery, MembersSoughtQueryVariables>('MembersSought', `query MembersSought($after: String) {
  members(first: 100, after: $after) {
    nodes {
      memberId
      displayName
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`)

export const SubscribersSoughtDocument = new TypedDocument<SubscribersSoughtQuery, SubscribersSoughtQueryVariables>('SubscribersSought', `query SubscribersSought($text: String!) {
  search(text: $text, first: 20) {
    hits {
      type
      id
      name
    }
  }
}`)
