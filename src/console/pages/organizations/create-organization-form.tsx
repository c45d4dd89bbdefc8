import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { CreateOrganizationDocument } from '../../generated/organizations.ts'
import { usePersonMutation } from '../../session/queries.ts'

export function CreateOrganizationForm() {
  const navigate = useNavigate()
  const create = usePersonMutation(CreateOrganizationDocument)
  const state = useServerForm({
    initialValues: { name: '' },
    draft: 'create-organization',
    async submit(input) {
      const { createOrganization } = await create.mutateAsync({ input })
      const { organizationId } = createOrganization
      await navigate({ to: '/o/$organizationId', params: { organizationId } })
    },
  })
  return (
    <ServerForm state={state} action="Create">
      <TextInput label="Name" autoComplete="organization" {...state.form.getInputProps('name')} />
    </ServerForm>
  )
}
