import { TextInput } from '@mantine/core'
import { useRef } from 'react'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { CreateApiKeyDocument, CreateServiceAccountDocument } from '../../../generated/team.ts'
import { showNewSecret } from '../../../session/new-secret.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'

/** Adds a service account that may make checks, with its first key. */
export function KeyStep() {
  const write = useOrganizationWrite()
  // If the account was created but its key was refused, the next attempt creates only the key.
  const account = useRef<string | null>(null)
  const state = useServerForm({
    initialValues: { name: 'Backend' },
    async submit({ name }) {
      if (account.current === null) {
        const { createServiceAccount } = await write(CreateServiceAccountDocument, {
          input: { name, role: 'EVALUATOR' },
        })
        account.current = createServiceAccount.serviceAccountId
      }
      const input = { serviceAccountId: account.current, name }
      const { createApiKey } = await write(CreateApiKeyDocument, { input })
      showNewSecret({ kind: 'API_KEY', value: createApiKey.key })
    },
  })
  return (
    <ServerForm state={state} action="Create key">
      <TextInput
        label="Name"
        description="The program that makes the checks. It may do nothing else."
        {...state.form.getInputProps('name')}
      />
    </ServerForm>
  )
}
