import { Drawer, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { RoleChoice } from '../../../components/form/role-choice.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { allRoles } from '../../../components/text/role-words.ts'
import type { Role } from '../../../generated/session.ts'
import { CreateServiceAccountDocument } from '../../../generated/team.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { createAccountExample } from '../api-examples.ts'

type Props = { opened: boolean; onClose(): void }

export function CreateServiceAccountDrawer({ opened, onClose }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Add service account">
      <CreateServiceAccountForm onClose={onClose} />
    </Drawer>
  )
}

const empty: { name: string; role: Role } = { name: '', role: 'EVALUATOR' }

/** Leads on to the first key: without one the account can do nothing. */
function CreateServiceAccountForm({ onClose }: { onClose(): void }) {
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: empty,
    draft: 'create-service-account',
    async submit(input) {
      const { createServiceAccount } = await write(CreateServiceAccountDocument, { input })
      const { serviceAccountId } = createServiceAccount
      await navigate({
        to: '/o/$organizationId/team/service-accounts/$serviceAccountId',
        params: { organizationId, serviceAccountId },
        search: { key: true },
      })
    },
  })
  const { form } = state
  return (
    <ServerForm
      state={state}
      action="Add service account"
      onCancel={onClose}
      example={createAccountExample(form.values)}
    >
      <TextInput
        label="Name"
        description="The program that uses it, such as “Billing backend”."
        data-autofocus
        {...form.getInputProps('name')}
      />
      <RoleChoice roles={allRoles} {...form.getInputProps('role')} />
    </ServerForm>
  )
}
