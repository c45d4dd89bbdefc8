import type { Role } from '../../generated/session.ts'

export const rolesForPeople: readonly Role[] = ['VIEWER', 'SUPPORT', 'DEVELOPER', 'ADMIN']
export const allRoles: readonly Role[] = ['EVALUATOR', ...rolesForPeople]

const shortDescriptions: Record<Role, string> = {
  EVALUATOR: 'Checks what subscribers may use, and nothing else. For programs.',
  VIEWER: 'Sees features, plans, subscribers and the team, but neither the webhook nor the audit log; changes nothing.',
  SUPPORT:
    'Changes subscribers, their plans and their overrides; sees features, plans and the team, but neither the webhook nor the audit log.',
  DEVELOPER: 'Changes features, plans, subscribers and the webhook; sees the team, but not the audit log.',
  ADMIN: 'Changes everything, the team included, and reads the audit log.',
}

/** The role as the API and its error messages write it. */
export function roleName(role: Role): string {
  return role.toLowerCase()
}

/** Describes the role in one line. The team page has a table with the rights of all roles. */
export function describeRole(role: Role): string {
  return shortDescriptions[role]
}
