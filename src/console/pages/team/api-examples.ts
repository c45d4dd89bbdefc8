import { type ApiExample, readExample, writeExample } from '../../components/api/api-examples.ts'
import type { Role } from '../../generated/session.ts'

export const listMembers = readExample(
  '/org/members',
  '{ members { nodes { memberId displayName role status lastSeenAt } } }',
)

export const listServiceAccounts = readExample(
  '/org/service-accounts',
  '{ serviceAccounts { nodes { serviceAccountId name role } } }',
)

export function readMember(memberId: string): ApiExample {
  const document = 'query Member($memberId: ID!) { member(memberId: $memberId) { displayName role status lastSeenAt } }'
  return readExample('/org/members/{member_id}', document, { memberId })
}

export function readServiceAccount(id: string): ApiExample {
  const document =
    'query Account($id: ID!) { serviceAccount(serviceAccountId: $id) { name role apiKeys { nodes { keyPrefix name lastUsedAt } } } }'
  return readExample('/org/service-accounts/{id}', document, { id })
}

export function updateMemberExample(memberId: string, changes: { displayName: string; role: Role }): ApiExample {
  const input = { memberId, ...changes }
  return writeExample({ route: 'PATCH /org/members/{member_id}', mutation: 'updateMember', input, answer: 'role' })
}

export function disableMemberExample(memberId: string): ApiExample {
  const input = { memberId, status: 'DISABLED' }
  return writeExample({ route: 'PATCH /org/members/{member_id}', mutation: 'updateMember', input, answer: 'status' })
}

export function removeMemberExample(memberId: string): ApiExample {
  return writeExample({ route: 'DELETE /org/members/{member_id}', mutation: 'deleteMember', input: { memberId } })
}

export function inviteExample({ role, email }: { role: Role; email: string }): ApiExample {
  const input = { role, ...(email.trim() && { email: email.trim() }) }
  return writeExample({ route: 'POST /org/invites', mutation: 'createInvite', input, answer: 'link expiresAt' })
}

export function revokeInviteExample(inviteId: string): ApiExample {
  return writeExample({ route: 'DELETE /org/invites/{invite_id}', mutation: 'deleteInvite', input: { inviteId } })
}

const account = '/org/service-accounts/{service_account_id}'

export function createAccountExample(input: { name: string; role: Role }): ApiExample {
  const [route, mutation] = ['POST /org/service-accounts', 'createServiceAccount'] as const
  return writeExample({ route, mutation, input, answer: 'serviceAccountId' })
}

export function updateAccountExample(serviceAccountId: string, changes: { name: string }): ApiExample {
  const input = { serviceAccountId, ...changes }
  return writeExample({ route: `PATCH ${account}`, mutation: 'updateServiceAccount', input, answer: 'name' })
}

export function deleteAccountExample(serviceAccountId: string): ApiExample {
  return writeExample({ route: `DELETE ${account}`, mutation: 'deleteServiceAccount', input: { serviceAccountId } })
}

type NewKey = { name: string; expiresAt?: string; allowedNetworks?: string[] }

export function createKeyExample(serviceAccountId: string, key: NewKey): ApiExample {
  const input = { serviceAccountId, ...key }
  return writeExample({ route: `POST ${account}/api-keys`, mutation: 'createApiKey', input, answer: 'key' })
}

export function revokeKeyExample(serviceAccountId: string, keyId: string): ApiExample {
  const input = { serviceAccountId, keyId }
  return writeExample({ route: `DELETE ${account}/api-keys/{key_id}`, mutation: 'deleteApiKey', input })
}
