import { type ApiExample, pathOf, writeExample } from '../../components/api/api-examples.ts'
import type { Role } from '../../generated/session.ts'

export const listMembers: ApiExample = {
  method: 'GET',
  path: '/org/members',
  graphql: { document: '{ members { nodes { memberId displayName role status lastSeenAt } } }' },
}

export const listServiceAccounts: ApiExample = {
  method: 'GET',
  path: '/org/service-accounts',
  graphql: { document: '{ serviceAccounts { nodes { serviceAccountId name role } } }' },
}

export function readMember(memberId: string): ApiExample {
  return {
    method: 'GET',
    path: `/org/members/${memberId}`,
    graphql: {
      document: 'query Member($memberId: ID!) { member(memberId: $memberId) { displayName role status lastSeenAt } }',
      variables: { memberId },
    },
  }
}

export function readServiceAccount(serviceAccountId: string): ApiExample {
  return {
    method: 'GET',
    path: `/org/service-accounts/${serviceAccountId}`,
    graphql: {
      document:
        'query Account($id: ID!) { serviceAccount(serviceAccountId: $id) { name role apiKeys { nodes { keyPrefix name lastUsedAt } } } }',
      variables: { id: serviceAccountId },
    },
  }
}

export function updateMemberExample(memberId: string, changes: { displayName: string; role: Role }): ApiExample {
  const { displayName, role } = changes
  return writeExample({
    method: 'PATCH',
    path: pathOf('/org/members/{member_id}', memberId),
    body: { display_name: displayName, role: role.toLowerCase() },
    mutation: 'updateMember',
    input: { memberId, ...changes },
    answer: 'role',
  })
}

export function disableMemberExample(memberId: string): ApiExample {
  return writeExample({
    method: 'PATCH',
    path: pathOf('/org/members/{member_id}', memberId),
    body: { status: 'disabled' },
    mutation: 'updateMember',
    input: { memberId, status: 'DISABLED' },
    answer: 'status',
  })
}

export function removeMemberExample(memberId: string): ApiExample {
  return writeExample({
    method: 'DELETE',
    path: pathOf('/org/members/{member_id}', memberId),
    mutation: 'deleteMember',
    input: { memberId },
  })
}

export function inviteExample({ role, email }: { role: Role; email: string }): ApiExample {
  const named = email.trim() && { email: email.trim() }
  return writeExample({
    method: 'POST',
    path: '/org/invites',
    body: { role: role.toLowerCase(), ...named },
    mutation: 'createInvite',
    input: { role, ...named },
    answer: 'link expiresAt',
  })
}

export function revokeInviteExample(inviteId: string): ApiExample {
  return writeExample({
    method: 'DELETE',
    path: pathOf('/org/invites/{invite_id}', inviteId),
    mutation: 'deleteInvite',
    input: { inviteId },
  })
}

export function createAccountExample({ name, role }: { name: string; role: Role }): ApiExample {
  return writeExample({
    method: 'POST',
    path: '/org/service-accounts',
    body: { name, role: role.toLowerCase() },
    mutation: 'createServiceAccount',
    input: { name, role },
    answer: 'serviceAccountId',
  })
}

export function renameAccountExample(serviceAccountId: string, name: string): ApiExample {
  return writeExample({
    method: 'PATCH',
    path: pathOf('/org/service-accounts/{service_account_id}', serviceAccountId),
    body: { name },
    mutation: 'updateServiceAccount',
    input: { serviceAccountId, name },
    answer: 'name',
  })
}

export function deleteAccountExample(serviceAccountId: string): ApiExample {
  return writeExample({
    method: 'DELETE',
    path: pathOf('/org/service-accounts/{service_account_id}', serviceAccountId),
    mutation: 'deleteServiceAccount',
    input: { serviceAccountId },
  })
}

type NewKey = { name: string; expiresAt?: string; allowedNetworks?: string[] }

export function createKeyExample(serviceAccountId: string, key: NewKey): ApiExample {
  const { name, expiresAt, allowedNetworks } = key
  return writeExample({
    method: 'POST',
    path: pathOf('/org/service-accounts/{service_account_id}/api-keys', serviceAccountId),
    body: { name, expires_at: expiresAt, allowed_networks: allowedNetworks },
    mutation: 'createApiKey',
    input: { serviceAccountId, ...key },
    answer: 'key',
  })
}

export function revokeKeyExample(serviceAccountId: string, keyId: string): ApiExample {
  return writeExample({
    method: 'DELETE',
    path: pathOf('/org/service-accounts/{service_account_id}/api-keys/{key_id}', serviceAccountId, keyId),
    mutation: 'deleteApiKey',
    input: { serviceAccountId, keyId },
  })
}
