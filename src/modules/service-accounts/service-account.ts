import { defineAnswer, from, pageOf } from '../../core/answer.ts'
import { idField, textField, timeFields } from '../../core/answer-fields.ts'
import { notFound } from '../../core/errors.ts'
import { isUlid, newId } from '../../core/ids.ts'
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
    member_id: idField().describe('The id of the member that it is.'),
    name: textField(1, 255).describe('For people.'),
    role: role().describe('What it may do.'),
    ...timeFields,
  },
)

export const serviceAccountsAnswer = pageOf('service_accounts', serviceAccountAnswer)

/** For reads: the role stands on the member. */
export const withMemberRole = { member: { select: { role: true } } } as const

type RowWithMember = ServiceAccountRow & { member: { role: Role } }

export function toServiceAccount({ member, ...row }: RowWithMember): ServiceAccount {
  return { ...row, role: member.role }
}

/** The service account, or 404. An id that is not well formed names none. */
export async function loadServiceAccount(db: Queries, organizationId: string, id: string): Promise<ServiceAccount> {
  const where = { organizationId_id: { organizationId, id } }
  const row = isUlid(id) ? await db.serviceAccount.findUnique({ where, include: withMemberRole }) : null
  if (!row) throw notFound('service_account', id)
  return toServiceAccount(row)
}

/** With the member that it is. */
export async function addServiceAccount(
  tx: Transaction,
  { organizationId, name, role, now }: { organizationId: string; name: string; role: Role; now: Date },
): Promise<ServiceAccount> {
  const [memberId, id] = [newId(), newId()]
  const times = { createdAt: now, updatedAt: now }
  await tx.member.create({
    data: { organizationId, id: memberId, serviceAccountId: id, displayName: name, role, ...times },
  })
  const row = await tx.serviceAccount.create({ data: { organizationId, id, memberId, name, ...times } })
  return { ...row, role }
}
