import type { z } from 'zod'
import { defineAnswer, fieldFrom, pageOf } from '../../core/answer.ts'
import { idField, nameField, timeFields } from '../../core/answer-fields.ts'
import { requireFound } from '../../core/errors.ts'
import { name } from '../../core/fields.ts'
import { isUlid, newId } from '../../core/ids.ts'
import type { Columns } from '../../core/names.ts'
import { Prisma, type ServiceAccount as ServiceAccountRow } from '../../database/generated/client.ts'
import type { Role } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
import { combineColumns, computedColumns, query, viaPrisma } from '../../database/sql.ts'
import { columnsOf, serviceAccountTable } from '../../database/table.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineFields } from '../../database/written-fields.ts'
import { role } from '../members/member.ts'

/** A program that is a member: it acts with its keys, and has the role of its member. */
export type ServiceAccount = ServiceAccountRow & { role: Role }

/** The fields that create and update share. */
export const serviceAccountFields = defineFields('ServiceAccount', {
  name: { input: name(), answer: nameField().describe('The display name.') },
})

export const serviceAccountAnswer = defineAnswer<ServiceAccount>(
  'ServiceAccount',
  'A member for a program, which authenticates with its keys.',
  {
    service_account_id: fieldFrom('id', idField().describe('The id of the service account.')),
    member_id: idField().describe("The id of the service account's member."),
    ...serviceAccountFields.answer,
    role: role().describe('The role of the service account.'),
    ...timeFields,
  },
)

export const serviceAccountsAnswer = pageOf('service_accounts', serviceAccountAnswer)

type WrittenColumns = Columns<z.output<z.ZodObject<typeof serviceAccountFields.input>>>

/** Loads the service account, or throws 404, also for a malformed id. */
export async function loadServiceAccount(db: Queries, organizationId: string, id: string): Promise<ServiceAccount> {
  const condition = Prisma.sql`a.service_account_id = ${id}`
  const [account] = isUlid(id) ? await readServiceAccounts(db, organizationId, condition) : []
  return requireFound('service_account', id, account)
}

const columns = combineColumns(
  columnsOf(serviceAccountTable, 'a'),
  computedColumns({ role: ['role', Prisma.sql`m.role`] }),
)

/** Reads service accounts by a condition on `service_account a` and `member m`. */
export function readServiceAccounts(
  db: Queries,
  organizationId: string,
  condition: Prisma.Sql,
): Promise<ServiceAccount[]> {
  return viaPrisma(db).query(query`
    select ${columns} from service_account a
      join member m on m.organization_id = a.organization_id and m.member_id = a.member_id
     where a.organization_id = ${organizationId} and ${condition}`)
}

/** Adds a service account and its member. */
export async function addServiceAccount(
  tx: Transaction,
  { organizationId, role, now, ...written }: { organizationId: string; role: Role; now: Date } & WrittenColumns,
): Promise<ServiceAccount> {
  const [memberId, id] = [newId(), newId()]
  const times = { createdAt: now, updatedAt: now }
  await tx.member.create({
    data: { organizationId, id: memberId, serviceAccountId: id, displayName: written.name, role, ...times },
  })
  const row = await tx.serviceAccount.create({ data: { organizationId, id, memberId, ...written, ...times } })
  return { ...row, role }
}
