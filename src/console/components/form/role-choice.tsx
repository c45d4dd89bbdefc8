import type { ReactNode } from 'react'
import type { Role } from '../../generated/session.ts'
import { describeRole, roleName } from '../text/role-words.ts'
import type { Field } from './fields.tsx'
import { RadioChoice } from './radio-choice.tsx'

type Props = { roles: readonly Role[]; value?: Role; onChange?: (role: Role) => void; error?: ReactNode }

export function RoleChoice({ roles, ...props }: Props) {
  const choices = roles.map((role) => ({ value: role, label: roleName(role), description: describeRole(role) }))
  return <RadioChoice label="Role" choices={choices} {...props} />
}

/** Asks for the role of a member or service account. */
export function roleField(roles: readonly Role[]): Field {
  return {
    label: 'Role',
    input: (props) => <RoleChoice roles={roles} {...props} />,
    show: (role: Role) => `${roleName(role)}. ${describeRole(role)}`,
  }
}
