import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { JoinOrganizationDocument } from '../../generated/join.ts'
import { findInviteToken } from '../../session/invite-token.ts'
import { usePersonMutation } from '../../session/queries.ts'

export function JoinByLinkForm() {
  const navigate = useNavigate()
  const join = usePersonMutation(JoinOrganizationDocument)
  const state = useServerForm({
    initialValues: { invite: '' },
    async submit({ invite }) {
      const input = { invite: findInviteToken(invite) ?? invite }
      const { joinOrganization } = await join.mutateAsync({ input })
      const { organizationId } = joinOrganization
      await navigate({ to: '/o/$organizationId', params: { organizationId } })
    },
  })
  return (
    <ServerForm state={state} action="Join">
      <TextInput
        label="Invite link"
        placeholder="https://…/join#inv_…"
        autoComplete="off"
        {...state.form.getInputProps('invite')}
      />
    </ServerForm>
  )
}
