import { ulid } from '../../core/fields.ts'
import { noInput } from '../../core/input.ts'
import { definePageInput, type Page, toPage } from '../../core/pagination.ts'
import { defineRead } from '../../operation/operation.ts'
import {
  loadServiceAccount,
  type ServiceAccount,
  serviceAccountAnswer,
  serviceAccountsAnswer,
  toServiceAccount,
  withMemberRole,
} from './service-account.ts'

export const listServiceAccounts = defineRead({
  name: 'serviceAccounts',
  summary: 'List the service accounts.',
  route: '/org/service-accounts',
  service: 'identity',
  labels: ['service-accounts:read'],
  input: definePageInput(ulid('a service account id')),
  answer: serviceAccountsAnswer,
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
  summary: 'Read a service account.',
  route: '/org/service-accounts/{service_account_id}',
  service: 'identity',
  labels: ['service-accounts:read'],
  input: noInput,
  answer: serviceAccountAnswer,
  run: ({ db, organizationId, path }): Promise<ServiceAccount> =>
    loadServiceAccount(db, organizationId, path.service_account_id),
})
