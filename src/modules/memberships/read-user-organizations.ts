import { noInput } from '../../core/input.ts'
import type { Role } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
import { defineUserRead } from '../../operation/operation.ts'
import { type Membership, membershipsAnswer } from './membership.ts'

export const listUserOrganizations = defineUserRead({
  name: 'organizations',
  summary: 'List the organizations where you may sign in.',
  route: '/user/organizations',
  input: noInput,
  answer: membershipsAnswer,
  run: ({ db, user }): Promise<Membership[]> => loadMemberships(db, user.userId),
})

/** The organizations where the person may sign in: not where the member is disabled. */
async function loadMemberships(db: Queries, userId: string): Promise<Membership[]> {
  const rows = await db.$queryRaw<{ organization_id: string; name: string; member_id: string; role: Role }[]>`
    select o.organization_id, o.name, m.member_id, m.role
      from user_membership u
      join member m on m.organization_id = u.organization_id and m.member_id = u.member_id and m.status = 'active'
      join organization o on o.organization_id = u.organization_id
     where u.user_id = ${userId}
     order by o.organization_id`
  return rows.map((row) => ({
    organizationId: row.organization_id,
    name: row.name,
    memberId: row.member_id,
    role: row.role,
  }))
}
