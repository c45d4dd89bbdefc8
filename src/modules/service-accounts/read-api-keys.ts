import { ulid } from '../../core/fields.ts'
import { definePageInput, type Page, type PageInput } from '../../core/pagination.ts'
import { readPages } from '../../database/read-pages.ts'
import { apiKeyTable } from '../../database/table.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { type ApiKey, apiKeysAnswer } from './api-key.ts'
import { loadServiceAccount } from './service-account.ts'

export const listApiKeys = defineRead({
  name: 'apiKeys',
  summary: 'List the keys of a service account.',
  route: '/org/service-accounts/{service_account_id}/api-keys',
  service: 'identity',
  labels: ['service-accounts:read'],
  input: definePageInput(ulid('a key id')),
  answer: apiKeysAnswer,
  async run({ db, organizationId, path, input }): Promise<Page<ApiKey>> {
    const { id } = await loadServiceAccount(db, organizationId, path.service_account_id)
    const pages = await loadApiKeyPages({ db, organizationId }, [id], input)
    return pages.get(id) as Page<ApiKey>
  },
})

/** Loads a page for each of several service accounts, by their id. */
export function loadApiKeyPages(
  { db, organizationId }: Pick<ReadScope, 'db' | 'organizationId'>,
  ids: readonly string[],
  page: PageInput,
): Promise<Map<string, Page<ApiKey>>> {
  return readPages(db, apiKeyTable, { organizationId, owner: 'serviceAccountId', ids }, page)
}
