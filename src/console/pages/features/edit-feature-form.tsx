import { EditForm } from '../../components/form/edit-form.tsx'
import { FieldInputs, valuesOf, withoutName } from '../../components/form/fields.tsx'
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
  function toChanges({ options: next, ...values }: typeof before) {
    return { ...values, ...(options && { options: next }) }
  }

  return (
    <EditForm
      fields={fields}
      values={before}
      version={updatedAt}
      draft={`edit-feature ${key}`}
      save={async (values, expectedUpdatedAt) => {
        const input = { key, ...toChanges(values), expectedUpdatedAt }
        return (await write(UpdateFeatureDocument, { input })).updateFeature
      }}
      done={() => `Feature ${key} is saved.`}
      example={(values) => updateFeatureExample(key, toChanges(values))}
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
