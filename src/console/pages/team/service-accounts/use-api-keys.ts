import { useOrganizationPages } from '../../../api/queries.ts'
import { ApiKeysDocument } from '../../../generated/team.ts'

const none = { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } }

export function useApiKeys(serviceAccountId: string) {
  return useOrganizationPages(
    ApiKeysDocument,
    { serviceAccountId },
    ({ serviceAccount }) => serviceAccount.apiKeys ?? none,
  )
}
