import { noInput } from '../../core/input.ts'
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

/** Loads the organizations where the person is not disabled, and so may sign in. */
function loadMemberships(db: Queries, userId: string): Promise<Membership[]> {
  return db.$queryRaw`
    select o.organization_id as "organizationId", o.name, o.environment, m.member_id as "memberId", m.role
      from user_membership u
      join member m on m.organization_id = u.organization_id and m.member_id = u.member_id and m.status = 'active'
      join organization o on o.organization_id = u.organization_id
     where u.user_id = ${userId}
     order by o.organization_id`
}
