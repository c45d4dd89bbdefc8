// Made from components/audit/audit.graphql by npm run console:types.
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

export type AuditEventsQueryVariables = Exact<{
  filter?: AuditEventFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AuditEventsQuery = { auditEvents: { nodes: Array<{ id: string, occurredAt: string, method: AuditMethod, route: string, outcome: AuditOutcome, status: number | null, createdId: string | null, details: unknown, requestId: string, ip: string, userAgent: string | null, params: Array<{ name: string, value: string }>, actor: { authType: AuthType, keyPrefix: string | null, memberId: string | null, member: { displayName: string, isServiceAccount: boolean, removed: boolean } | null } }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type AuditEventQueryVariables = Exact<{
  id: string;
}>;


export type AuditEventQuery = { auditEvent: { id: string, occurredAt: string, method: AuditMethod, route: string, outcome: AuditOutcome, status: number | null, createdId: string | null, details: unknown, requestId: string, ip: string, userAgent: string | null, params: Array<{ name: string, value: string }>, actor: { authType: AuthType, keyPrefix: string | null, memberId: string | null, member: { displayName: string, isServiceAccount: boolean, removed: boolean } | null } } | null };

export type MemberNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type MemberNamesQuery = { members: { nodes: Array<{ memberId: string, displayName: string, serviceAccountId: string | null }>, pageInfo: { hasNextPage: boolean } } | null };

export type LastActionOfMemberQueryVariables = Exact<{
  memberId: string;
}>;


export type LastActionOfMemberQuery = { auditEvents: { nodes: Array<{ actor: { member: { displayName: string } | null } }> } | null };

export type LastChangesOfObjectQueryVariables = Exact<{
  object: AuditObjectInput;
}>;


export type LastChangesOfObjectQuery = { auditEvents: { nodes: Array<{ details: unknown }> } | null };

export type AuditEntryFragment = { id: string, occurredAt: string, method: AuditMethod, route: string, outcome: AuditOutcome, status: number | null, createdId: string | null, details: unknown, requestId: string, ip: string, userAgent: string | null, params: Array<{ name: string, value: string }>, actor: { authType: AuthType, keyPrefix: string | null, memberId: string | null, member: { displayName: string, isServiceAccount: boolean, removed: boolean } | null } };

export const AuditEventsDocument = new TypedDocument<AuditEventsQuery, AuditEventsQueryVariables>('AuditEvents', `query AuditEvents($filter: AuditEventFilter, $first: Int, $after: String) {
  auditEvents(filter: $filter, first: $first, after: $after) {
    nodes {
      ...AuditEntry
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
fragment AuditEntry on AuditEvent {
  id
  occurredAt
  method
  route
  params {
    name
    value
  }
  outcome
  status
  createdId
  details
  requestId
  ip
  userAgent
  actor {
    authType
    keyPrefix
    memberId
    member {
      displayName
      isServiceAccount
      removed
    }
  }
}`)

export const AuditEventDocument = new TypedDocument<AuditEventQuery, AuditEventQueryVariables>('AuditEvent', `query AuditEvent($id: ID!) {
  auditEvent(id: $id) {
    ...AuditEntry
  }
}
fragment AuditEntry on AuditEvent {
  id
  occurredAt
  method
  route
  params {
    name
    value
  }
  outcome
  status
  createdId
  details
  requestId
  ip
  userAgent
  actor {
    authType
    keyPrefix
    memberId
    member {
      displayName
      isServiceAccount
      removed
    }
  }
}`)

export const MemberNamesDocument = new TypedDocument<MemberNamesQuery, MemberNamesQueryVariables>('MemberNames', `query MemberNames {
  members(first: 100) {
    nodes {
      memberId
      displayName
      serviceAccountId
    }
    pageInfo {
      hasNextPage
    }
  }
}`)

export const LastActionOfMemberDocument = new TypedDocument<LastActionOfMemberQuery, LastActionOfMemberQueryVariables>('LastActionOfMember', `query LastActionOfMember($memberId: String!) {
  auditEvents(filter: {actorMemberId: $memberId}, first: 1) {
    nodes {
      actor {
        member {
          displayName
        }
      }
    }
  }
}`)

export const LastChangesOfObjectDocument = new TypedDocument<LastChangesOfObjectQuery, LastChangesOfObjectQueryVariables>('LastChangesOfObject', `query LastChangesOfObject($object: AuditObjectInput!) {
  auditEvents(filter: {object: $object}, first: 2) {
    nodes {
      details
    }
  }
}`)
