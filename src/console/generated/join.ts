// Made from pages/join/join.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type JoinOrganizationInput = {
  invite: string;
};

export type Role =
  | 'ADMIN'
  | 'DEVELOPER'
  | 'EVALUATOR'
  | 'SUPPORT'
  | 'VIEWER';

export type InvitationQueryVariables = Exact<{
  token: string;
}>;


export type InvitationQuery = { invitation: { organizationName: string, role: Role, expiresAt: string } | null };

export type JoinOrganizationMutationVariables = Exact<{
  input: JoinOrganizationInput;
}>;


export type JoinOrganizationMutation = { joinOrganization: { organizationId: string, name: string, role: Role } | null };

export const InvitationDocument = new TypedDocument<InvitationQuery, InvitationQueryVariables>('Invitation', `query Invitation($token: String!) {
  invitation(token: $token) {
    organizationName
    role
    expiresAt
  }
}`)

export const JoinOrganizationDocument = new TypedDocument<JoinOrganizationMutation, JoinOrganizationMutationVariables>('JoinOrganization', `mutation JoinOrganization($input: JoinOrganizationInput!) {
  joinOrganization(input: $input) {
    organizationId
    name
    role
  }
}`)
