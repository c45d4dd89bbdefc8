import { useNavigate } from '@tanstack/react-router'
import { emptyValues, FieldInputs, toInput } from '../../../components/form/fields.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import type { Role } from '../../../generated/session.ts'
import { CreateServiceAccountDocument } from '../../../generated/team.ts'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { createAccountExample } from '../api-examples.ts'
import { accountFields } from './account.ts'

const fields = {
  ...accountFields,
  name: { ...accountFields.name, description: 'The program that uses it, such as “Billing backend”.' },
}
const emptyAccount = { ...emptyValues(accountFields), role: 'EVALUATOR' as Role }

/** Adds a service account, then opens the form for its first key: without a key, the account can do nothing. */
export function CreateAccountForm({ onClose }: { onClose(): void }) {
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: emptyAccount,
    draft: 'create-service-account',
    async submit(values) {
      const input = toInput(fields, values)
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
      example={createAccountExample(toInput(fields, form.values))}
    >
      <FieldInputs form={form} fields={fields} autoFocus />
    </ServerForm>
  )
}
