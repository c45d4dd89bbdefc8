import { Drawer, Textarea, TextInput } from '@mantine/core'
import { ExpiryInput } from '../../../components/form/expiry-input.tsx'
import { FieldProblem } from '../../../components/form/field-errors.ts'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { CreateApiKeyDocument } from '../../../generated/team.ts'
import { showNewSecret } from '../../../session/new-secret.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { createKeyExample } from '../api-examples.ts'
import { findNetworkProblem } from './network-problem.ts'

type Props = { serviceAccountId: string; opened: boolean; onClose(): void }

export function CreateKeyDrawer({ serviceAccountId, opened, onClose }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Add key">
      <CreateKeyForm serviceAccountId={serviceAccountId} onClose={onClose} />
    </Drawer>
  )
}

const expiries = [
  ['30 days', 30],
  ['90 days', 90],
  ['1 year', 365],
  ['Never', null],
] as const

/** Converts the form's values to the API's input. The typed networks are separated by white space or commas. */
function toNewKey({
  name,
  expiresAt,
  allowedNetworks,
}: {
  name: string
  expiresAt: string | null
  allowedNetworks: string
}) {
  const networks = allowedNetworks.split(/[\s,]+/).filter(Boolean)
  return { name, ...(expiresAt !== null && { expiresAt }), ...(networks.length > 0 && { allowedNetworks: networks }) }
}

type FormProps = { serviceAccountId: string; onClose(): void }

function CreateKeyForm({ serviceAccountId, onClose }: FormProps) {
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: { name: '', expiresAt: null as string | null, allowedNetworks: '' },
    draft: `create-key ${serviceAccountId}`,
    async submit(values) {
      const key = toNewKey(values)
      const problem = findNetworkProblem(key.allowedNetworks ?? [])
      if (problem) throw new FieldProblem('allowedNetworks', problem)
      const { createApiKey } = await write(CreateApiKeyDocument, { input: { serviceAccountId, ...key } })
      showNewSecret({ kind: 'API_KEY', value: createApiKey.key })
      onClose()
    },
  })
  return (
    <ServerForm
      state={state}
      action="Create key"
      onCancel={onClose}
      example={createKeyExample(serviceAccountId, toNewKey(state.form.values))}
    >
      <TextInput
        label="Name"
        description="Where the key is used, such as “production”."
        data-autofocus
        {...state.form.getInputProps('name')}
      />
      <ExpiryInput presets={expiries} {...state.form.getInputProps('expiresAt')} />
      <Textarea
        label="Allowed networks"
        description="Networks from which the key may be used, one per line, such as 203.0.113.0/24. Empty allows any address."
        autosize
        minRows={1}
        maxRows={6}
        {...state.form.getInputProps('allowedNetworks')}
      />
    </ServerForm>
  )
}
