import { ulid } from '../../core/fields.ts'
import { definePageInput, type Page, type PageInput, toPage } from '../../core/pagination.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { type ApiKey, apiKeyColumns, apiKeysAnswer } from './api-key.ts'
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
    return pages.get(id) ?? { items: [], hasMore: false }
  },
})

/** A page for each of several service accounts, by their id: two statements, however many there are. */
export async function loadApiKeyPages(
  { db, organizationId }: Pick<ReadScope, 'db' | 'organizationId'>,
  serviceAccountIds: readonly string[],
  { limit, starting_after: after = '' }: PageInput,
): Promise<Map<string, Page<ApiKey>>> {
  const rows = await db.$queryRaw<{ key_id: string }[]>`
    select page.key_id
      from unnest(${serviceAccountIds}::text[]) as asked (service_account_id)
     cross join lateral (
           select k.key_id from api_key k
            where k.organization_id = ${organizationId} and k.service_account_id = asked.service_account_id
              and k.key_id > ${after}
            order by k.key_id
            limit ${limit + 1}) page`
  const keys = await db.apiKey.findMany({
    where: { organizationId, id: { in: rows.map((row) => row.key_id) } },
    select: apiKeyColumns,
    orderBy: { id: 'asc' },
  })
  const byAccount = Map.groupBy(keys, ({ serviceAccountId }) => serviceAccountId)
  return new Map(serviceAccountIds.map((id) => [id, toPage(byAccount.get(id) ?? [], limit)]))
}
