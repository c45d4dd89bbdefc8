import { note } from '../../core/field-type.ts'
import { timestamp, ulid } from '../../core/fields.ts'
import { defineInput, noInput } from '../../core/input.ts'
import { type Page, pageFields, toPage } from '../../core/pagination.ts'
import { Prisma } from '../../database/generated/client.ts'
import { defineRead } from '../../operation/operation.ts'
import {
  loadServiceAccount,
  readServiceAccounts,
  type ServiceAccount,
  serviceAccountAnswer,
  serviceAccountsAnswer,
} from './service-account.ts'

const serviceAccountFilterShape = {
  unused_since: note(timestamp().optional(), {
    meaning: 'Only active accounts with a working key that was created before this time and has not been used since.',
  }),
}

export const listServiceAccounts = defineRead({
  name: 'serviceAccounts',
  summary: 'List the service accounts.',
  route: '/org/service-accounts',
  service: 'identity',
  labels: ['service-accounts:read'],
  input: defineInput(
    { ...pageFields(ulid('a service account id')), ...serviceAccountFilterShape },
    { unknown: 'ignore', term: 'query parameter' },
  ),
  answer: serviceAccountsAnswer,
  async run({ db, organizationId, input, now }): Promise<Page<ServiceAccount>> {
    const { unused_since: unusedSince, starting_after: after = '', limit } = input
    const unused = unusedSince ? isUnused(organizationId, unusedSince, now) : Prisma.sql`true`
    const page = Prisma.sql`
      a.service_account_id > ${after} and ${unused} order by a.service_account_id limit ${limit + 1}`
    return toPage(await readServiceAccounts(db, organizationId, page), limit)
  },
})

function isUnused(organizationId: string, since: Date, now: Date): Prisma.Sql {
  return Prisma.sql`(m.status = 'active' and exists (
    select from api_key k
     where k.organization_id = ${organizationId} and k.service_account_id = a.service_account_id
       and coalesce(k.last_used_at, k.created_at) < ${since} and (k.expires_at is null or k.expires_at > ${now})))`
}

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
