import type { ApiExample } from '../../components/api/api-examples.ts'

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
