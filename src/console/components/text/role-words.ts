import type { Role } from '../../generated/session.ts'

export const rolesForPeople: readonly Role[] = ['VIEWER', 'SUPPORT', 'DEVELOPER', 'ADMIN']
export const allRoles: readonly Role[] = ['EVALUATOR', ...rolesForPeople]

const inShort: Record<Role, string> = {
  EVALUATOR: 'Checks what subscribers may use. For programs.',
  VIEWER: 'Sees features, plans, subscribers and the team. Changes nothing.',
  SUPPORT: 'Also changes subscribers, their plans and their overrides.',
  DEVELOPER: 'Also changes features, plans and the webhook.',
  ADMIN: 'Also changes the team, and reads the audit log.',
}

/** As the API and the refusals write it. */
export function roleName(role: Role): string {
  return role.toLowerCase()
}

/** One line below the role where it is chosen. The whole table is on the page of the team. */
export function describeRole(role: Role): string {
  return inShort[role]
}
