import { Textarea, TextInput } from '@mantine/core'
import { toastDone } from '../../components/feedback/toast.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { UpdateFeatureDocument } from '../../generated/features.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { updateFeatureExample } from './api-examples.ts'
import type { Feature } from './feature.ts'
import { OptionsEditor } from './lazy-options-editor.tsx'
import { OptionsInUse } from './options-in-use.tsx'

type Props = { feature: Feature; onClose(): void }

export function EditFeatureForm({ feature, onClose }: Props) {
  const { key, name, description, options, updatedAt } = feature
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: { name, description, options: options ?? [] },
    draft: `edit-feature ${key}`,
    stored: { version: updatedAt, labels: { name: 'Name', description: 'Description', options: 'Options' } },
    async submit(values, expectedUpdatedAt) {
      const changed = { name: values.name, description: values.description, expectedUpdatedAt }
      const { updateFeature: after } = await write(UpdateFeatureDocument, {
        input: { key, ...changed, ...(options && { options: values.options }) },
      })
      const before = { key, name, description, ...(options && { options }), expectedUpdatedAt: after.updatedAt }
      toastDone(`Feature ${key} is saved.`, () => write(UpdateFeatureDocument, { input: before }))
      onClose()
    },
  })
  const { form } = state
  const example = updateFeatureExample(key, {
    name: form.values.name,
    description: form.values.description,
    ...(options && { options: form.values.options }),
  })
  return (
    <ServerForm state={state} action="Save" onCancel={onClose} example={example}>
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      {options && <OptionsEditor {...form.getInputProps('options')} />}
      {update.error && <OptionsInUse error={update.error} />}
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
    </ServerForm>
  )
}
