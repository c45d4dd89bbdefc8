import { isUlid } from '../../core/ids.ts'
import { noInput } from '../../core/input.ts'
import { definePageInput, type Page, toPage } from '../../core/pagination.ts'
import { defineRead } from '../../operation/operation.ts'
import { loadServiceAccount, type ServiceAccount, toServiceAccount, withMemberRole } from './service-account.ts'

export const listServiceAccounts = defineRead({
  name: 'serviceAccounts',
  route: '/org/service-accounts',
  service: 'identity',
  labels: ['service-accounts:read'],
  input: definePageInput(isUlid, 'a service account id: a ULID of 26 upper-case characters'),
  async run({ db, organizationId, input }): Promise<Page<ServiceAccount>> {
    const rows = await db.serviceAccount.findMany({
      where: { organizationId, ...(input.starting_after !== undefined && { id: { gt: input.starting_after } }) },
      include: withMemberRole,
      orderBy: { id: 'asc' },
      take: input.limit + 1,
    })
    return toPage(rows.map(toServiceAccount), input.limit)
  },
})

export const readServiceAccount = defineRead({
  name: 'serviceAccount',
  route: '/org/service-accounts/{service_account_id}',
  service: 'identity',
  labels: ['service-accounts:read'],
  input: noInput,
  run: ({ db, organizationId, path }): Promise<ServiceAccount> =>
    loadServiceAccount(db, organizationId, path.service_account_id),
})
