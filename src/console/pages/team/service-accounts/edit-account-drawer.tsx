import { Drawer, TextInput } from '@mantine/core'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { RoleChoice } from '../../../components/form/role-choice.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { allRoles } from '../../../components/text/role-words.ts'
import { MemberDocument, UpdateMemberDocument, UpdateServiceAccountDocument } from '../../../generated/team.ts'
import { useOrganizationQuery, useOrganizationWrite } from '../../../session/queries.ts'
import { renameAccountExample, updateMemberExample } from '../api-examples.ts'
import type { Account } from './account.ts'

type Props = { account: Account; opened: boolean; onClose(): void }

export function EditAccountDrawer({ account, opened, onClose }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Edit service account">
      <EditAccountForm account={account} onClose={onClose} />
    </Drawer>
  )
}

/** The name is the account's, the role its member's: two writes, each only if it is needed. */
function EditAccountForm({ account, onClose }: { account: Account; onClose(): void }) {
  const { serviceAccountId, memberId, name, role } = account
  const write = useOrganizationWrite()
  const member = useOrganizationQuery(MemberDocument, { memberId }).data?.member
  const state = useServerForm({
    initialValues: { name, role },
    draft: `edit-service-account ${serviceAccountId}`,
    stored: { version: member?.updatedAt ?? account.updatedAt, labels: { name: 'Name', role: 'Role' } },
    async submit(values, expectedUpdatedAt) {
      if (values.role !== role) {
        await write(UpdateMemberDocument, { input: { memberId, role: values.role, expectedUpdatedAt } })
      }
      if (values.name !== name)
        await write(UpdateServiceAccountDocument, { input: { serviceAccountId, name: values.name } })
      toastDone(`${values.name} is saved.`, async () => {
        if (values.name !== name) {
          await write(UpdateServiceAccountDocument, { input: { serviceAccountId, name } })
        }
        if (values.role !== role) await write(UpdateMemberDocument, { input: { memberId, role } })
      })
      onClose()
    },
  })
  const { form } = state
  const { values } = form
  // The role is what matters most, where both change.
  const example =
    values.role === role
      ? renameAccountExample(serviceAccountId, values.name)
      : updateMemberExample(memberId, { displayName: values.name, role: values.role })
  return (
    <ServerForm state={state} action="Save" onCancel={onClose} example={example}>
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <RoleChoice roles={allRoles} {...form.getInputProps('role')} />
    </ServerForm>
  )
}
