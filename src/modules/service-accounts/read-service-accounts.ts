import { note } from '../../core/field-type.ts'
import { timestamp, ulid } from '../../core/fields.ts'
import { defineInput, noInput } from '../../core/input.ts'
import { type Page, pageShape, toPage } from '../../core/pagination.ts'
import type { Queries } from '../../database/prisma.ts'
import { defineRead } from '../../operation/operation.ts'
import {
  loadServiceAccount,
  type ServiceAccount,
  serviceAccountAnswer,
  serviceAccountsAnswer,
  toServiceAccount,
  withMemberRole,
} from './service-account.ts'

const serviceAccountFilterShape = {
  unused_since: note(timestamp().optional(), {
    meaning: 'Only active accounts with a key that could be used and was not since then, nor made since then.',
  }),
}

export const listServiceAccounts = defineRead({
  name: 'serviceAccounts',
  summary: 'List the service accounts.',
  route: '/org/service-accounts',
  service: 'identity',
  labels: ['service-accounts:read'],
  input: defineInput(
    { ...pageShape(ulid('a service account id')), ...serviceAccountFilterShape },
    { unknown: 'ignore', noun: 'query parameter' },
  ),
  answer: serviceAccountsAnswer,
  async run({ db, organizationId, input, now }): Promise<Page<ServiceAccount>> {
    const { unused_since: unusedSince, starting_after: after = '', limit } = input
    const unused = unusedSince && (await findUnused(db, organizationId, { unusedSince, now, after, limit }))
    const rows = await db.serviceAccount.findMany({
      where: { organizationId, id: { gt: after, ...(unused && { in: unused }) } },
      include: withMemberRole,
      orderBy: { id: 'asc' },
      take: limit + 1,
    })
    return toPage(rows.map(toServiceAccount), limit)
  },
})

type Unused = { unusedSince: Date; now: Date; after: string; limit: number }

/** The ids of a page of active service accounts with such a key. */
async function findUnused(
  db: Queries,
  organizationId: string,
  { unusedSince, now, after, limit }: Unused,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ service_account_id: string }[]>`
    select distinct k.service_account_id
      from api_key k join member m on m.organization_id = k.organization_id and m.member_id = k.member_id
     where k.organization_id = ${organizationId} and k.service_account_id > ${after} and m.status = 'active'
       and coalesce(k.last_used_at, k.created_at) < ${unusedSince} and (k.expires_at is null or k.expires_at > ${now})
     order by k.service_account_id limit ${limit + 1}`
  return rows.map((row) => row.service_account_id)
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
