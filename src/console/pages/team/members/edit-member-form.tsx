import { EditForm } from '../../../components/form/edit-form.tsx'
import { toFormValues } from '../../../components/form/fields.tsx'
import { UpdateMemberDocument } from '../../../generated/team.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { updateMemberExample } from '../api-examples.ts'
import { type Member, memberFields } from './member.ts'

export function EditMemberForm({ member, onClose }: { member: Member; onClose(): void }) {
  const { memberId, updatedAt } = member
  const fields = memberFields(member)
  const write = useOrganizationWrite()
  return (
    <EditForm
      fields={fields}
      values={toFormValues(fields, member)}
      version={updatedAt}
      draft={`edit-member ${memberId}`}
      save={async (changes, expectedUpdatedAt) =>
        (await write(UpdateMemberDocument, { input: { memberId, ...changes, expectedUpdatedAt } })).updateMember
      }
      done={({ displayName }) => `${displayName} was saved.`}
      example={(changes) => updateMemberExample(memberId, changes)}
      onClose={onClose}
    />
  )
}
