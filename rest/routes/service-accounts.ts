import { createApiKey } from '../../src/modules/service-accounts/create-api-key.ts'
import { createServiceAccount } from '../../src/modules/service-accounts/create-service-account.ts'
import { deleteApiKey } from '../../src/modules/service-accounts/delete-api-key.ts'
import { deleteServiceAccount } from '../../src/modules/service-accounts/delete-service-account.ts'
import { listApiKeys } from '../../src/modules/service-accounts/read-api-keys.ts'
import { listServiceAccounts, readServiceAccount } from '../../src/modules/service-accounts/read-service-accounts.ts'
import { updateServiceAccount } from '../../src/modules/service-accounts/update-service-account.ts'
import { route } from '../route.ts'

export const serviceAccountRoutes = [
  route(listServiceAccounts),
  route(createServiceAccount),
  route(readServiceAccount),
  route(updateServiceAccount),
  route(deleteServiceAccount),
  route(listApiKeys),
  route(createApiKey),
  route(deleteApiKey),
]
