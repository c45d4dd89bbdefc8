import { Drawer, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useOrganizationMutation } from '../../../api/queries.ts'
import { ShownOnce } from '../../../components/feedback/shown-once.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { CreateApiKeyDocument } from '../../../generated/team.ts'
import { createKeyExample } from '../api-examples.ts'

type Props = { serviceAccountId: string; opened: boolean; onClose(): void }

/** While the key is shown, only "I have stored it" closes: it cannot be read again. */
export function CreateKeyDrawer({ serviceAccountId, opened, onClose }: Props) {
  const [key, setKey] = useState<string | null>(null)

  function close(): void {
    setKey(null)
    onClose()
  }

  return (
    <Drawer
      opened={opened}
      onClose={close}
      title="Add key"
      closeOnEscape={key === null}
      closeOnClickOutside={key === null}
      withCloseButton={key === null}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {key === null ? (
        <CreateKeyForm serviceAccountId={serviceAccountId} onCreated={setKey} onCancel={close} />
      ) : (
        <ShownOnce what="key" value={key} onDone={close}>
          This is the only time the key is shown. Store it where your program reads its secrets; it goes into the header
          X-API-Key.
        </ShownOnce>
      )}
    </Drawer>
  )
}

type FormProps = { serviceAccountId: string; onCreated(key: string): void; onCancel(): void }

function CreateKeyForm({ serviceAccountId, onCreated, onCancel }: FormProps) {
  const create = useOrganizationMutation(CreateApiKeyDocument)
  const state = useServerForm({
    initialValues: { name: '' },
    draft: `create-key ${serviceAccountId}`,
    async submit(values) {
      const { createApiKey } = await create.mutateAsync({ input: { serviceAccountId, ...values } })
      onCreated(createApiKey.key)
    },
  })
  return (
    <ServerForm
      state={state}
      action="Make the key"
      onCancel={onCancel}
      example={createKeyExample(serviceAccountId, state.form.values.name)}
    >
      <TextInput
        label="Name"
        description="Where the key is used, such as “production”."
        data-autofocus
        {...state.form.getInputProps('name')}
      />
    </ServerForm>
  )
}
