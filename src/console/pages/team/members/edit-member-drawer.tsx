import { Drawer, TextInput } from '@mantine/core'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { RoleChoice } from '../../../components/form/role-choice.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { allRoles, rolesForPeople } from '../../../components/text/role-words.ts'
import { type MemberRowFragment, UpdateMemberDocument } from '../../../generated/team.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { updateMemberExample } from '../api-examples.ts'

type Props = { member: MemberRowFragment; opened: boolean; onClose(): void }

export function EditMemberDrawer({ member, opened, onClose }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Edit member">
      <EditMemberForm member={member} onClose={onClose} />
    </Drawer>
  )
}

function EditMemberForm({ member, onClose }: { member: MemberRowFragment; onClose(): void }) {
  const { memberId, displayName, role, updatedAt } = member
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: { displayName, role },
    draft: `edit-member ${memberId}`,
    stored: { version: updatedAt, labels: { displayName: 'Name', role: 'Role' } },
    async submit(values, expectedUpdatedAt) {
      const { updateMember: after } = await write(UpdateMemberDocument, {
        input: { memberId, ...values, expectedUpdatedAt },
      })
      const before = { memberId, displayName, role, expectedUpdatedAt: after.updatedAt }
      toastDone(`${values.displayName} is saved.`, () => write(UpdateMemberDocument, { input: before }))
      onClose()
    },
  })
  const { form } = state
  return (
    <ServerForm state={state} action="Save" onCancel={onClose} example={updateMemberExample(memberId, form.values)}>
      <TextInput label="Name" data-autofocus {...form.getInputProps('displayName')} />
      <RoleChoice roles={role === 'EVALUATOR' ? allRoles : rolesForPeople} {...form.getInputProps('role')} />
    </ServerForm>
  )
}
