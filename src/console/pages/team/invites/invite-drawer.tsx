import { Drawer, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ShownOnce } from '../../../components/feedback/shown-once.tsx'
import { RoleChoice } from '../../../components/form/role-choice.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { Moment } from '../../../components/text/moment.tsx'
import { roleName, rolesForPeople } from '../../../components/text/role-words.ts'
import type { Role } from '../../../generated/session.ts'
import { CreateInviteDocument, type InviteRowFragment } from '../../../generated/team.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { inviteExample } from '../api-examples.ts'

type Props = { opened: boolean; onInvited(invite: InviteRowFragment): void; onClose(): void }

export function InviteDrawer({ opened, onInvited, onClose }: Props) {
  const [invite, setInvite] = useState<InviteRowFragment | null>(null)

  // Forgets the invite when the drawer is closed, also by the browser's Back button.
  if (!opened && invite) setInvite(null)

  return (
    <Drawer opened={opened} onClose={onClose} title="Invite a person">
      {invite ? (
        <ShownOnce what="link" value={invite.link ?? ''} done="Done" onDone={onClose}>
          Send this link{invite.email ? ` to ${invite.email}` : ''}. Anyone who has it can join once as{' '}
          {roleName(invite.role)}; it expires <Moment at={invite.expiresAt} />. No e-mail is sent.
        </ShownOnce>
      ) : (
        <InviteForm
          onInvited={(made) => {
            setInvite(made)
            onInvited(made)
          }}
          onCancel={onClose}
        />
      )}
    </Drawer>
  )
}

type InviteFormProps = { onInvited(invite: InviteRowFragment): void; onCancel(): void }

const emptyInvite: { role: Role; email: string } = { role: 'VIEWER', email: '' }

function InviteForm({ onInvited, onCancel }: InviteFormProps) {
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: emptyInvite,
    draft: 'invite',
    async submit({ role, email }) {
      const { createInvite } = await write(CreateInviteDocument, { input: { role, email: email.trim() || null } })
      onInvited(createInvite)
    },
  })
  const { form } = state
  return (
    <ServerForm state={state} action="Create link" onCancel={onCancel} example={inviteExample(form.values)}>
      <RoleChoice roles={rolesForPeople} {...form.getInputProps('role')} />
      <TextInput
        label="E-mail (optional)"
        description="A note in the list of invites. No e-mail is sent to it."
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
    </ServerForm>
  )
}
