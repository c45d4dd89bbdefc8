import { toastDone } from '../../../components/feedback/toast.tsx'
import { FieldInputs, toFormValues, toInput } from '../../../components/form/fields.tsx'
import { hasSameJson } from '../../../components/form/merge-changes.ts'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { MemberDocument, UpdateMemberDocument, UpdateServiceAccountDocument } from '../../../generated/team.ts'
import { useOrganizationQuery, useOrganizationWrite } from '../../../session/queries.ts'
import { updateAccountExample, updateMemberExample } from '../api-examples.ts'
import { type Account, accountFields } from './account.ts'

export function EditAccountForm({ account, onClose }: { account: Account; onClose(): void }) {
  const { serviceAccountId, memberId } = account
  const before = toFormValues(accountFields, account)
  const write = useOrganizationWrite()
  const member = useOrganizationQuery(MemberDocument, { memberId }).data?.member
  const state = useServerForm({
    initialValues: before,
    draft: `edit-service-account ${serviceAccountId}`,
    stored: { version: member?.updatedAt ?? account.updatedAt, fields: accountFields },
    async submit(values, expectedUpdatedAt) {
      await save(before, values, expectedUpdatedAt)
      toastDone(`${values.name} was saved.`, () => save(values, before))
      onClose()
    },
  })

  /** The role belongs to the member, the other fields to the account: two writes, each only if it is needed. */
  async function save(from: typeof before, to: typeof before, expectedUpdatedAt?: string | null): Promise<void> {
    const { role: former, ...ownBefore } = toInput(accountFields, from)
    const { role, ...own } = toInput(accountFields, to)
    if (role !== former) await write(UpdateMemberDocument, { input: { memberId, role, expectedUpdatedAt } })
    if (!hasSameJson(own, ownBefore)) await write(UpdateServiceAccountDocument, { input: { serviceAccountId, ...own } })
  }

  const { role, ...own } = toInput(accountFields, state.form.values)
  // There is room for one example: if the role and other fields change, it shows the write of the role.
  const example =
    role === before.role
      ? updateAccountExample(serviceAccountId, own)
      : updateMemberExample(memberId, { displayName: own.name, role })
  return (
    <ServerForm state={state} action="Save" onCancel={onClose} example={example}>
      <FieldInputs form={state.form} fields={accountFields} autoFocus />
    </ServerForm>
  )
}
