import { ApiKeysDocument } from '../../../generated/team.ts'
import { useOrganizationPages } from '../../../session/queries.ts'

const none = { nodes: [], pageInfo: { endCursor: null, hasNextPage: false } }

export function useApiKeys(serviceAccountId: string) {
  return useOrganizationPages(
    ApiKeysDocument,
    { serviceAccountId },
    ({ serviceAccount }) => serviceAccount.apiKeys ?? none,
  )
}
