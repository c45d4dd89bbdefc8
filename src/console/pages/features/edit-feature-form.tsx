import { EditForm } from '../../components/form/edit-form.tsx'
import { FieldInputs, type InputOf, valuesOf, withoutName } from '../../components/form/fields.tsx'
import { UpdateFeatureDocument } from '../../generated/features.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { updateFeatureExample } from './api-examples.ts'
import { type Feature, featureFields } from './feature.ts'
import { OptionsEditor } from './lazy-options-editor.tsx'
import { OptionsInUse } from './options-in-use.tsx'

const fields = { ...featureFields, options: { label: 'Options' } }

type Props = { feature: Feature; onClose(): void }

export function EditFeatureForm({ feature, onClose }: Props) {
  const { key, options, updatedAt } = feature
  const write = useOrganizationWrite()
  const before = { ...valuesOf(featureFields, feature), options: options ?? [] }

  /** Without options, where the feature has none. */
  function toChanges({ options: next, ...values }: InputOf<typeof fields, typeof before>) {
    return { ...values, ...(options && { options: next }) }
  }

  return (
    <EditForm
      fields={fields}
      values={before}
      version={updatedAt}
      draft={`edit-feature ${key}`}
      save={async (changes, expectedUpdatedAt) => {
        const input = { key, ...toChanges(changes), expectedUpdatedAt }
        return (await write(UpdateFeatureDocument, { input })).updateFeature
      }}
      done={() => `Feature ${key} is saved.`}
      example={(changes) => updateFeatureExample(key, toChanges(changes))}
      onClose={onClose}
    >
      {({ form, error }) => (
        <>
          <FieldInputs form={form} fields={{ name: featureFields.name }} autoFocus />
          {options && <OptionsEditor {...form.getInputProps('options')} />}
          {error && <OptionsInUse error={error} />}
          <FieldInputs form={form} fields={withoutName(featureFields)} />
        </>
      )}
    </EditForm>
  )
}
