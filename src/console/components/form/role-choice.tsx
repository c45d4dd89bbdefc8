import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Role } from '../../generated/session.ts'
import { describeRole, roleName } from '../text/role-words.ts'
import type { Field } from './fields.tsx'

type Props = { roles: readonly Role[]; value?: Role; onChange?: (role: Role) => void; error?: ReactNode }

export function RoleChoice({ roles, value, onChange, error }: Props) {
  return (
    <Radio.Group label="Role" value={value ?? null} onChange={(role) => onChange?.(role as Role)} error={error}>
      <Stack gap="xs" mt="xs" mb={error ? 6 : 0}>
        {roles.map((role) => (
          <Radio key={role} value={role} label={roleName(role)} description={describeRole(role)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** Asks for the role of a member or service account. */
export function roleField(roles: readonly Role[]): Field {
  return {
    label: 'Role',
    input: (props) => <RoleChoice roles={roles} {...props} />,
    show: (role: Role) => `${roleName(role)}. ${describeRole(role)}`,
  }
}
