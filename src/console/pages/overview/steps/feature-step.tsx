import { Text } from '@mantine/core'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { NameAndKey } from '../../../components/form/name-and-key.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { CreateFeatureDocument } from '../../../generated/features.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'

export function FeatureStep() {
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: { name: '', key: '' },
    async submit(values) {
      await write(CreateFeatureDocument, { input: { ...values, kind: 'FLAG' } })
      toastDone(`Feature “${values.name}” was added.`)
    },
  })
  return (
    <ServerForm state={state} action="Add feature">
      <NameAndKey form={state.form} description="The name that your code uses in checks." />
      <Text c="dimmed">It becomes a flag, on or off. You can add limits and configs in Features.</Text>
    </ServerForm>
  )
}
