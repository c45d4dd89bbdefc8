import { NativeSelect } from '@mantine/core'
import { toastDone } from '../../components/feedback/toast.tsx'
import { emptyValues, FieldInputs, toInput, withoutName } from '../../components/form/fields.tsx'
import { NameAndKey } from '../../components/form/name-and-key.tsx'
import { RadioChoice } from '../../components/form/radio-choice.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { KindBadge } from '../../components/text/kind-badge.tsx'
import {
  CreateFeatureDocument,
  DeleteFeatureDocument,
  type FeatureKind,
  type ValueType,
} from '../../generated/features.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { createFeatureExample } from './api-examples.ts'
import { featureFields } from './feature.ts'
import { OptionsEditor } from './lazy-options-editor.tsx'

const valueTypes: { value: ValueType; label: string }[] = [
  { value: 'STRING', label: 'string' },
  { value: 'NUMBER', label: 'number' },
  { value: 'BOOLEAN', label: 'boolean' },
  { value: 'ENUM', label: 'enum: one of a list' },
  { value: 'JSON', label: 'json' },
]

const kinds = [
  toChoice('FLAG', 'On or off, such as single sign-on.'),
  toChoice('LIMIT', 'A number that may be unlimited, such as seats.'),
  toChoice('CONFIG', 'A typed value, such as a region.'),
]

function toChoice(kind: FeatureKind, description: string) {
  return { value: kind, label: <KindBadge kind={kind} />, description }
}

const empty = {
  ...emptyValues(featureFields),
  key: '',
  kind: 'FLAG' as FeatureKind,
  valueType: 'STRING' as ValueType,
  options: [] as string[],
}

/** The input of the write, with only the fields that the chosen kind has. */
function toFeatureInput({ valueType, options, ...values }: typeof empty) {
  const common = toInput(featureFields, values)
  if (common.kind !== 'CONFIG') return common
  return valueType === 'ENUM' ? { ...common, valueType, options } : { ...common, valueType }
}

export function CreateFeatureForm({ onClose }: { onClose(): void }) {
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: empty,
    draft: 'create-feature',
    async submit(values) {
      await write(CreateFeatureDocument, { input: toFeatureInput(values) })
      toastDone(`Feature ${values.key} was added.`, () => write(DeleteFeatureDocument, { input: { key: values.key } }))
      onClose()
    },
  })
  const { form } = state
  const { kind, valueType } = form.values
  return (
    <ServerForm
      state={state}
      action="Add feature"
      onCancel={onClose}
      example={createFeatureExample(toFeatureInput(form.values))}
    >
      <NameAndKey form={form} description="The name that your code uses in checks." />
      <RadioChoice label="Kind" description="It never changes." choices={kinds} {...form.getInputProps('kind')} />
      {kind === 'CONFIG' && <NativeSelect label="Value type" data={valueTypes} {...form.getInputProps('valueType')} />}
      {kind === 'CONFIG' && valueType === 'ENUM' && <OptionsEditor {...form.getInputProps('options')} />}
      <FieldInputs form={form} fields={withoutName(featureFields)} />
    </ServerForm>
  )
}
