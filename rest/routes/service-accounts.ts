import type { ApiKey } from '../../src/modules/service-accounts/api-key.ts'
import { createApiKey } from '../../src/modules/service-accounts/create-api-key.ts'
import { createServiceAccount } from '../../src/modules/service-accounts/create-service-account.ts'
import { deleteApiKey } from '../../src/modules/service-accounts/delete-api-key.ts'
import { deleteServiceAccount } from '../../src/modules/service-accounts/delete-service-account.ts'
import { listApiKeys } from '../../src/modules/service-accounts/read-api-keys.ts'
import { listServiceAccounts, readServiceAccount } from '../../src/modules/service-accounts/read-service-accounts.ts'
import type { ServiceAccount } from '../../src/modules/service-accounts/service-account.ts'
import { updateServiceAccount } from '../../src/modules/service-accounts/update-service-account.ts'
import { pageParameters } from '../query.ts'
import { noBody, route } from '../route.ts'

export const serviceAccountRoutes = [
  route(listServiceAccounts, {
    query: pageParameters,
    reply: ({ items, hasMore }) => ({ service_accounts: items.map(serviceAccountBody), has_more: hasMore }),
  }),
  route(createServiceAccount, { reply: serviceAccountBody }),
  route(readServiceAccount, { reply: serviceAccountBody }),
  route(updateServiceAccount, { reply: serviceAccountBody }),
  route(deleteServiceAccount, { reply: noBody }),
  route(listApiKeys, {
    query: pageParameters,
    reply: ({ items, hasMore }) => ({ keys: items.map(apiKeyBody), has_more: hasMore }),
  }),
  route(createApiKey, { reply: ({ apiKey, key }) => ({ ...apiKeyBody(apiKey), key }) }),
  route(deleteApiKey, { reply: noBody }),
]

function serviceAccountBody({ id, memberId, name, role, createdAt, updatedAt }: ServiceAccount) {
  return {
    service_account_id: id,
    member_id: memberId,
    name,
    role,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

function apiKeyBody({ id, prefix, name, createdAt, lastUsedAt }: ApiKey) {
  return { key_id: id, key_prefix: prefix, name, created_at: createdAt, last_used_at: lastUsedAt }
}
