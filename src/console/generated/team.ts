// Made from pages/team/team.graphql by npm run console:types.
import { TypedDocument } from '../api/typed-document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CreateApiKeyInput = {
  allowedNetworks?: Array<string> | null | undefined;
  expiresAt?: string | null | undefined;
  name: string;
  serviceAccountId: string;
};

export type CreateInviteInput = {
  email?: string | null | undefined;
  role: Role;
};

export type CreateServiceAccountInput = {
  name: string;
  role: Role;
};

export type DeleteApiKeyInput = {
  keyId: string;
  serviceAccountId: string;
};

export type DeleteInviteInput = {
  inviteId: string;
};

export type DeleteMemberInput = {
  memberId: string;
};

export type DeleteServiceAccountInput = {
  serviceAccountId: string;
};

export type GroupRoleInput = {
  group: string;
  role: Role;
};

export type MemberStatus =
  | 'ACTIVE'
  | 'DISABLED';

export type Role =
  | 'ADMIN'
  | 'DEVELOPER'
  | 'EVALUATOR'
  | 'SUPPORT'
  | 'VIEWER';

export type SetGroupRolesInput = {
  groupRoles: Array<GroupRoleInput>;
};

export type UpdateMemberInput = {
  displayName?: string | null | undefined;
  expectedUpdatedAt?: string | null | undefined;
  memberId: string;
  role?: Role | null | undefined;
  status?: MemberStatus | null | undefined;
};

export type UpdateServiceAccountInput = {
  name?: string | null | undefined;
  serviceAccountId: string;
};

export type MembersQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type MembersQuery = { members: { nodes: Array<{ memberId: string, userId: string | null, serviceAccountId: string | null, displayName: string, email: string | null, role: Role, status: MemberStatus, byGroup: boolean, lastSeenAt: string | null, createdAt: string, updatedAt: string }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type MemberQueryVariables = Exact<{
  memberId: string;
}>;


export type MemberQuery = { member: { memberId: string, userId: string | null, serviceAccountId: string | null, displayName: string, email: string | null, role: Role, status: MemberStatus, byGroup: boolean, lastSeenAt: string | null, createdAt: string, updatedAt: string } | null };

export type UpdateMemberMutationVariables = Exact<{
  input: UpdateMemberInput;
}>;


export type UpdateMemberMutation = { updateMember: { memberId: string, updatedAt: string } | null };

export type DeleteMemberMutationVariables = Exact<{
  input: DeleteMemberInput;
}>;


export type DeleteMemberMutation = { deleteMember: string | null };

export type PendingInvitesQueryVariables = Exact<{ [key: string]: never; }>;


export type PendingInvitesQuery = { counts: { pendingInvites: { value: number, isExact: boolean } | null } | null };

export type InvitesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type InvitesQuery = { invites: { nodes: Array<{ inviteId: string, role: Role, email: string | null, link: string | null, expiresAt: string, createdAt: string }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type CreateInviteMutationVariables = Exact<{
  input: CreateInviteInput;
}>;


export type CreateInviteMutation = { createInvite: { inviteId: string, role: Role, email: string | null, link: string | null, expiresAt: string, createdAt: string } | null };

export type DeleteInviteMutationVariables = Exact<{
  input: DeleteInviteInput;
}>;


export type DeleteInviteMutation = { deleteInvite: string | null };

export type ServiceAccountsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ServiceAccountsQuery = { serviceAccounts: { nodes: Array<{ serviceAccountId: string, memberId: string, name: string, role: Role, createdAt: string, apiKeys: { nodes: Array<{ lastUsedAt: string | null }>, pageInfo: { hasNextPage: boolean } } | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type ServiceAccountQueryVariables = Exact<{
  serviceAccountId: string;
}>;


export type ServiceAccountQuery = { serviceAccount: { updatedAt: string, serviceAccountId: string, memberId: string, name: string, role: Role, createdAt: string } | null };

export type ApiKeysQueryVariables = Exact<{
  serviceAccountId: string;
  after?: string | null | undefined;
}>;


export type ApiKeysQuery = { serviceAccount: { apiKeys: { nodes: Array<{ keyId: string, keyPrefix: string, name: string, lastUsedAt: string | null, createdAt: string, expiresAt: string | null, allowedNetworks: Array<string> | null }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null } | null };

export type CreateServiceAccountMutationVariables = Exact<{
  input: CreateServiceAccountInput;
}>;


export type CreateServiceAccountMutation = { createServiceAccount: { serviceAccountId: string } | null };

export type UpdateServiceAccountMutationVariables = Exact<{
  input: UpdateServiceAccountInput;
}>;


export type UpdateServiceAccountMutation = { updateServiceAccount: { serviceAccountId: string } | null };

export type DeleteServiceAccountMutationVariables = Exact<{
  input: DeleteServiceAccountInput;
}>;


export type DeleteServiceAccountMutation = { deleteServiceAccount: string | null };

export type CreateApiKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type CreateApiKeyMutation = { createApiKey: { key: string, apiKey: { keyId: string, keyPrefix: string, name: string, lastUsedAt: string | null, createdAt: string, expiresAt: string | null, allowedNetworks: Array<string> | null } } | null };

export type DeleteApiKeyMutationVariables = Exact<{
  input: DeleteApiKeyInput;
}>;


export type DeleteApiKeyMutation = { deleteApiKey: string | null };

export type GroupRolesQueryVariables = Exact<{ [key: string]: never; }>;


export type GroupRolesQuery = { groupRoles: Array<{ group: string, role: Role }> | null };

export type SetGroupRolesMutationVariables = Exact<{
  input: SetGroupRolesInput;
}>;


export type SetGroupRolesMutation = { setGroupRoles: Array<{ group: string, role: Role }> | null };

export type RolesQueryVariables = Exact<{ [key: string]: never; }>;


export type RolesQuery = { roles: Array<{ role: Role, labels: Array<string> }> | null };

export type MemberRowFragment = { memberId: string, userId: string | null, serviceAccountId: string | null, displayName: string, email: string | null, role: Role, status: MemberStatus, byGroup: boolean, lastSeenAt: string | null, createdAt: string, updatedAt: string };

export type InviteRowFragment = { inviteId: string, role: Role, email: string | null, link: string | null, expiresAt: string, createdAt: string };

export type ServiceAccountRowFragment = { serviceAccountId: string, memberId: string, name: string, role: Role, createdAt: string };

export type ApiKeyRowFragment = { keyId: string, keyPrefix: string, name: string, lastUsedAt: string | null, createdAt: string, expiresAt: string | null, allowedNetworks: Array<string> | null };

export const MembersDocument = new TypedDocument<MembersQuery, MembersQueryVariables>('Members', `query Members($after: String) {
  members(first: 100, after: $after) {
    nodes {
      ...MemberRow
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
fragment MemberRow on Member {
  memberId
  userId
  serviceAccountId
  displayName
  email
  role
  status
  byGroup
  lastSeenAt
  createdAt
  updatedAt
}`)

export const MemberDocument = new TypedDocument<MemberQuery, MemberQueryVariables>('Member', `query Member($memberId: ID!) {
  member(memberId: $memberId) {
    ...MemberRow
  }
}
fragment MemberRow on Member {
  memberId
  userId
  serviceAccountId
  displayName
  email
  role
  status
  byGroup
  lastSeenAt
  createdAt
  updatedAt
}`)

export const UpdateMemberDocument = new TypedDocument<UpdateMemberMutation, UpdateMemberMutationVariables>('UpdateMember', `mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    memberId
    updatedAt
  }
}`)

export const DeleteMemberDocument = new TypedDocument<DeleteMemberMutation, DeleteMemberMutationVariables>('DeleteMember', `mutation DeleteMember($input: DeleteMemberInput!) {
  deleteMember(input: $input)
}`)

export const PendingInvitesDocument = new TypedDocument<PendingInvitesQuery, PendingInvitesQueryVariables>('PendingInvites', `query PendingInvites {
  counts {
    pendingInvites {
      value
      isExact
    }
  }
}`)

export const InvitesDocument = new TypedDocument<InvitesQuery, InvitesQueryVariables>('Invites', `query Invites($after: String) {
  invites(first: 50, after: $after) {
    nodes {
      ...InviteRow
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
fragment InviteRow on Invite {
  inviteId
  role
  email
  link
  expiresAt
  createdAt
}`)

export const CreateInviteDocument = new TypedDocument<CreateInviteMutation, CreateInviteMutationVariables>('CreateInvite', `mutation CreateInvite($input: CreateInviteInput!) {
  createInvite(input: $input) {
    ...InviteRow
  }
}
fragment InviteRow on Invite {
  inviteId
  role
  email
  link
  expiresAt
  createdAt
}`)

export const DeleteInviteDocument = new TypedDocument<DeleteInviteMutation, DeleteInviteMutationVariables>('DeleteInvite', `mutation DeleteInvite($input: DeleteInviteInput!) {
  deleteInvite(input: $input)
}`)

export const ServiceAccountsDocument = new TypedDocument<ServiceAccountsQuery, ServiceAccountsQueryVariables>('ServiceAccounts', `query ServiceAccounts($after: String) {
  serviceAccounts(first: 50, after: $after) {
    nodes {
      ...ServiceAccountRow
      apiKeys(first: 20) {
        nodes {
          lastUsedAt
        }
        pageInfo {
          hasNextPage
        }
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
fragment ServiceAccountRow on ServiceAccount {
  serviceAccountId
  memberId
  name
  role
  createdAt
}`)

export const ServiceAccountDocument = new TypedDocument<ServiceAccountQuery, ServiceAccountQueryVariables>('ServiceAccount', `query ServiceAccount($serviceAccountId: ID!) {
  serviceAccount(serviceAccountId: $serviceAccountId) {
    ...ServiceAccountRow
    updatedAt
  }
}
fragment ServiceAccountRow on ServiceAccount {
  serviceAccountId
  memberId
  name
  role
  createdAt
}`)

export const ApiKeysDocument = new TypedDocument<ApiKeysQuery, ApiKeysQueryVariables>('ApiKeys', `query ApiKeys($serviceAccountId: ID!, $after: String) {
  serviceAccount(serviceAccountId: $serviceAccountId) {
    apiKeys(first: 50, after: $after) {
      nodes {
        ...ApiKeyRow
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
}
fragment ApiKeyRow on ApiKey {
  keyId
  keyPrefix
  name
  lastUsedAt
  createdAt
  expiresAt
  allowedNetworks
}`)

export const CreateServiceAccountDocument = new TypedDocument<CreateServiceAccountMutation, CreateServiceAccountMutationVariables>('CreateServiceAccount', `mutation CreateServiceAccount($input: CreateServiceAccountInput!) {
  createServiceAccount(input: $input) {
    serviceAccountId
  }
}`)

export const UpdateServiceAccountDocument = new TypedDocument<UpdateServiceAccountMutation, UpdateServiceAccountMutationVariables>('UpdateServiceAccount', `mutation UpdateServiceAccount($input: UpdateServiceAccountInput!) {
  updateServiceAccount(input: $input) {
    serviceAccountId
  }
}`)

export const DeleteServiceAccountDocument = new TypedDocument<DeleteServiceAccountMutation, DeleteServiceAccountMutationVariables>('DeleteServiceAccount', `mutation DeleteServiceAccount($input: DeleteServiceAccountInput!) {
  deleteServiceAccount(input: $input)
}`)

export const CreateApiKeyDocument = new TypedDocument<CreateApiKeyMutation, CreateApiKeyMutationVariables>('CreateApiKey', `mutation CreateApiKey($input: CreateApiKeyInput!) {
  createApiKey(input: $input) {
    key
    apiKey {
      ...ApiKeyRow
    }
  }
}
fragment ApiKeyRow on ApiKey {
  keyId
  keyPrefix
  name
  lastUsedAt
  createdAt
  expiresAt
  allowedNetworks
}`)

export const DeleteApiKeyDocument = new TypedDocument<DeleteApiKeyMutation, DeleteApiKeyMutationVariables>('DeleteApiKey', `mutation DeleteApiKey($input: DeleteApiKeyInput!) {
  deleteApiKey(input: $input)
}`)

export const GroupRolesDocument = new TypedDocument<GroupRolesQuery, GroupRolesQueryVariables>('GroupRoles', `query GroupRoles {
  groupRoles {
    group
    role
  }
}`)

export const SetGroupRolesDocument = new TypedDocument<SetGroupRolesMutation, SetGroupRolesMutationVariables>('SetGroupRoles', `mutation SetGroupRoles($input: SetGroupRolesInput!) {
  setGroupRoles(input: $input) {
    group
    role
  }
}`)

export const RolesDocument = new TypedDocument<RolesQuery, RolesQueryVariables>('Roles', `query Roles {
  roles {
    role
    labels
  }
}`)
