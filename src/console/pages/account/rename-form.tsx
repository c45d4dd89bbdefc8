import { TextInput } from '@mantine/core'
import { toastDone } from '../../components/feedback/toast.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { UpdateUserDocument } from '../../generated/account.ts'
import { usePersonMutation } from '../../session/queries.ts'

export function RenameForm({ displayName }: { displayName: string }) {
  const update = usePersonMutation(UpdateUserDocument)
  const state = useServerForm({
    initialValues: { displayName },
    async submit(input) {
      await update.mutateAsync({ input })
      toastDone('Your name is changed.')
    },
  })
  return (
    <ServerForm state={state} action="Save">
      <TextInput label="Your name" autoComplete="name" {...state.form.getInputProps('displayName')} />
    </ServerForm>
  )
}
