import { defineAnswer, listOf } from '../../core/answer.ts'
import { nameField } from '../../core/answer-fields.ts'
import { conflict } from '../../core/errors.ts'
import type { GroupRole as GroupRoleRow } from '../../database/generated/client.ts'
import type { Role } from '../../database/generated/enums.ts'
import type { Queries } from '../../database/prisma.ts'
import type { Limits } from '../../operation/operation.ts'
import { role, roles } from '../members/member.ts'

export type GroupRole = Pick<GroupRoleRow, 'group' | 'role'>

export const maxGroupRoles = 100

export const groupRoleAnswer = defineAnswer<GroupRole>(
  'GroupRole',
  'The role of people in this group at the identity provider.',
  {
    group: nameField().describe('The group, as the identity provider names it.'),
    role: role().describe('The role of members who are in the group.'),
  },
)

export const groupRolesAnswer = listOf('group_roles', groupRoleAnswer, maxGroupRoles)

/** Loads the group roles, sorted by group. */
export function loadGroupRoles(db: Queries, organizationId: string): Promise<GroupRole[]> {
  return db.groupRole.findMany({
    where: { organizationId },
    select: { group: true, role: true },
    orderBy: { group: 'asc' },
  })
}

/**
 * Throws 409 unless the operator allows groups in this organization. Otherwise, any organization could give roles to the groups
 * of another organization's people.
 */
export function assertMayHaveGroups({ groupOrganizations }: Limits, organizationId: string): void {
  if (groupOrganizations.includes(organizationId)) return
  throw conflict(
    { field: 'group_roles', value: organizationId },
    'Groups have no roles in this organization. Ask the operator of this server to add the organization to OIDC_GROUP_ORGANIZATIONS.',
  )
}

/** The strongest of these roles; null if there are none. `roles` begins with the strongest. */
export function strongestRoleOf(candidates: readonly Role[]): Role | null {
  return roles.find((each) => candidates.includes(each)) ?? null
}
