import type { Fields } from '../../../components/form/fields.tsx'
import { roleField } from '../../../components/form/role-choice.tsx'
import { allRoles, rolesForPeople } from '../../../components/text/role-words.ts'
import type { MemberRowFragment } from '../../../generated/team.ts'

export type Member = MemberRowFragment

/** The fields of a member that people can edit. */
export function memberFields({ role }: Member) {
  return {
    displayName: { label: 'Name', inHead: true },
    role: roleField(role === 'EVALUATOR' ? allRoles : rolesForPeople),
  } satisfies Fields
}
