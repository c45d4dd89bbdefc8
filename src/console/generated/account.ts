// Made from pages/account/account.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type AuditMethod =
  | 'DELETE'
  | 'GET'
  | 'PATCH'
  | 'POST'
  | 'PUT';

export type AuditOutcome =
  | 'NO_RESPONSE'
  | 'PENDING'
  | 'REJECTED'
  | 'RESPONDED';

export type ChangePasswordInput = {
  currentPassword: string;
  newPassword: string;
};

export type EndSessionInput = {
  id: string;
};

export type UpdateUserInput = {
  displayName?: string | null | undefined;
};

export type UpdateUserMutationVariables = Exact<{
  input: UpdateUserInput;
}>;


export type UpdateUserMutation = { updateUser: { displayName: string } | null };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword: { userId: string } | null };

export type OwnActivityQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type OwnActivityQuery = { user: { auditEvents: { nodes: Array<{ id: string, occurredAt: string, method: AuditMethod, route: string, outcome: AuditOutcome, status: number | null, ip: string, userAgent: string | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } } | null };

export type SessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionsQuery = { user: { sessions: Array<{ id: string, createdAt: string, lastUsedAt: string, ip: string | null, userAgent: string | null, current: boolean }> } | null };

export type EndSessionMutationVariables = Exact<{
  input: EndSessionInput;
}>;


export type EndSessionMutation = { endSession: string | null };

export type EndOtherSessionsMutationVariables = Exact<{ [key: string]: never; }>;


export type EndOtherSessionsMutation = { endOtherSessions: string | null };

export const UpdateUserDocument = new TypedDocument<UpdateUserMutation, UpdateUserMutationVariables>('UpdateUser', `mutation UpdateUser($input: UpdateUserInput!) {
  updateUser(input: $input) {
    displayName
  }
}`)

export const ChangePasswordDocument = new TypedDocument<ChangePasswordMutation, ChangePasswordMutationVariables>('ChangePassword', `mutation ChangePassword($input: ChangePasswordInput!) {
  changePassword(input: $input) {
    userId
  }
}`)

export const OwnActivityDocument = new TypedDocument<OwnActivityQuery, OwnActivityQueryVariables>('OwnActivity', `query OwnActivity($after: String) {
  user {
    auditEvents(first: 20, after: $after) {
      nodes {
        id
        occurredAt
        method
        route
        outcome
        status
        ip
        userAgent
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
}`)

export const SessionsDocument = new TypedDocument<SessionsQuery, SessionsQueryVariables>('Sessions', `query Sessions {
  user {
    sessions {
      id
      createdAt
      lastUsedAt
      ip
      userAgent
      current
    }
  }
}`)

export const EndSessionDocument = new TypedDocument<EndSessionMutation, EndSessionMutationVariables>('EndSession', `mutation EndSession($input: EndSessionInput!) {
  endSession(input: $input)
}`)

export const EndOtherSessionsDocument = new TypedDocument<EndOtherSessionsMutation, EndOtherSessionsMutationVariables>('EndOtherSessions', `mutation EndOtherSessions {
  endOtherSessions
}`)
