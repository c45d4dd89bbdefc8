import { Drawer, TextInput } from '@mantine/core'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { UpdateSubscriberDocument } from '../../../generated/subscribers.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { renameSubscriberExample } from '../api-examples.ts'
import type { Subscriber } from '../subscriber.ts'

type Props = { subscriber: Subscriber; opened: boolean; onClose(): void }

export function RenameDrawer({ subscriber, opened, onClose }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Rename subscriber">
      <RenameForm subscriber={subscriber} onClose={onClose} />
    </Drawer>
  )
}

function RenameForm({ subscriber: { subscriberId, name: before, updatedAt }, onClose }: Omit<Props, 'opened'>) {
  const write = useOrganizationWrite()

  function putBack(expectedUpdatedAt: string): Promise<unknown> {
    const input = { subscriberId, name: before, expectedUpdatedAt }
    return write(UpdateSubscriberDocument, { input })
  }

  const state = useServerForm({
    initialValues: { name: before ?? '' },
    draft: `rename ${subscriberId}`,
    stored: { version: updatedAt, labels: { name: 'Name' } },
    async submit({ name }, expectedUpdatedAt) {
      const input = { subscriberId, name: name || null, expectedUpdatedAt }
      const { updateSubscriber: after } = await write(UpdateSubscriberDocument, { input })
      toastDone(`Subscriber ${subscriberId} is renamed.`, () => putBack(after.updatedAt))
      onClose()
    },
  })
  return (
    <ServerForm
      state={state}
      action="Rename"
      onCancel={onClose}
      example={renameSubscriberExample(subscriberId, state.form.values.name)}
    >
      <TextInput
        label="Name"
        description="For people; may stay empty."
        data-autofocus
        {...state.form.getInputProps('name')}
      />
    </ServerForm>
  )
}
