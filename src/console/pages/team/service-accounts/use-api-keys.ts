import { ApiKeysDocument } from '../../../generated/team.ts'
import { useOrganizationPages } from '../../../session/queries.ts'

export function useApiKeys(serviceAccountId: string) {
  return useOrganizationPages(ApiKeysDocument, { serviceAccountId }, ({ serviceAccount }) => serviceAccount.apiKeys)
}
