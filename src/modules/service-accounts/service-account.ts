import type { z } from 'zod'
import { defineAnswer, from, pageOf } from '../../core/answer.ts'
import { idField, nameField, timeFields } from '../../core/answer-fields.ts'
import { notFound } from '../../core/errors.ts'
import { name } from '../../core/fields.ts'
import { isUlid, newId } from '../../core/ids.ts'
import type { Columns } from '../../core/names.ts'
import type { ServiceAccount as ServiceAccountRow } from '../../database/generated/client.ts'
import type { Role } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
import type { Transaction } from '../../database/transaction.ts'
import { role } from '../members/member.ts'

/** A member that is a program: it acts by its keys, under the role of its member. */
export type ServiceAccount = ServiceAccountRow & { role: Role }

export const serviceAccountAnswer = defineAnswer<ServiceAccount>(
  'ServiceAccount',
  'A member that is a program: it acts by its keys.',
  {
    service_account_id: from('id', idField().describe('The id of the service account.')),
    member_id: idField().describe('The id of its member.'),
    name: nameField().describe('For people.'),
    role: role().describe('What it may do.'),
    ...timeFields,
  },
)

export const serviceAccountsAnswer = pageOf('service_accounts', serviceAccountAnswer)

/** The fields that create and update share. Each is stored in the column of its name in camel case. */
export const serviceAccountFields = { name: name() }

type WrittenColumns = Columns<z.output<z.ZodObject<typeof serviceAccountFields>>>

/** For reads: the role is stored with the member. */
export const withMemberRole = { member: { select: { role: true } } } as const

type RowWithMember = ServiceAccountRow & { member: { role: Role } }

export function toServiceAccount({ member, ...row }: RowWithMember): ServiceAccount {
  return { ...row, role: member.role }
}

/** The service account, or 404. A malformed id names none. */
export async function loadServiceAccount(db: Queries, organizationId: string, id: string): Promise<ServiceAccount> {
  const where = { organizationId_id: { organizationId, id } }
  const row = isUlid(id) ? await db.serviceAccount.findUnique({ where, include: withMemberRole }) : null
  if (!row) throw notFound('service_account', id)
  return toServiceAccount(row)
}

/** Includes its member. */
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
