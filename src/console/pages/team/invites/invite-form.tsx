import { TextInput } from '@mantine/core'
import { RoleChoice } from '../../../components/form/role-choice.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { rolesForPeople } from '../../../components/text/role-words.ts'
import type { Role } from '../../../generated/session.ts'
import { CreateInviteDocument, type InviteRowFragment } from '../../../generated/team.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { inviteExample } from '../api-examples.ts'

type Props = { onInvited(invite: InviteRowFragment): void; onCancel(): void }

const empty: { role: Role; email: string } = { role: 'VIEWER', email: '' }

export function InviteForm({ onInvited, onCancel }: Props) {
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: empty,
    draft: 'invite',
    async submit({ role, email }) {
      const { createInvite } = await write(CreateInviteDocument, { input: { role, email: email.trim() || null } })
      onInvited(createInvite)
    },
  })
  const { form } = state
  return (
    <ServerForm state={state} action="Make the link" onCancel={onCancel} example={inviteExample(form.values)}>
      <RoleChoice roles={rolesForPeople} {...form.getInputProps('role')} />
      <TextInput
        label="E-mail (optional)"
        description="A note for the list of invites. Nothing is sent to it."
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
    </ServerForm>
  )
}
