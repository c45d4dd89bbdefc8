import { List } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isServerError } from '../../api/errors.ts'
import { EditForm } from '../../components/form/edit-form.tsx'
import { FieldInputs, type InputOf, toFormValues, withoutName } from '../../components/form/fields.tsx'
import { UpdateFeatureDocument } from '../../generated/features.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { updateFeatureExample } from './api-examples.ts'
import { type Feature, featureFields } from './feature.ts'
import { OptionsEditor } from './lazy-options-editor.tsx'

const fields = { ...featureFields, options: { label: 'Options' } }

type Props = { feature: Feature; onClose(): void }

/** The name of the form's draft. */
export const draftOf = (key: string) => `edit-feature ${key}`

export function EditFeatureForm({ feature, onClose }: Props) {
  const { key, options, updatedAt } = feature
  const write = useOrganizationWrite()
  const before = { ...toFormValues(featureFields, feature), options: options ?? [] }

  /** Omits the options if the feature has none. */
  function toChanges({ options: next, ...values }: InputOf<typeof fields, typeof before>) {
    return { ...values, ...(options && { options: next }) }
  }

  return (
    <EditForm
      fields={fields}
      values={before}
      version={updatedAt}
      draft={draftOf(key)}
      save={async (changes, expectedUpdatedAt) => {
        const input = { key, ...toChanges(changes), expectedUpdatedAt }
        return (await write(UpdateFeatureDocument, { input })).updateFeature
      }}
      done={() => `Feature ${key} was saved.`}
      example={(changes) => updateFeatureExample(key, toChanges(changes))}
      onClose={onClose}
    >
      {({ form, refusal }) => (
        <>
          <FieldInputs form={form} fields={{ name: featureFields.name }} autoFocus />
          {options && <OptionsEditor {...form.getInputProps('options')} />}
          {refusal && <OptionsInUse error={refusal} />}
          <FieldInputs form={form} fields={withoutName(featureFields)} />
        </>
      )}
    </EditForm>
  )
}

type Usage = { option: string; plans: string[]; overrides: string[] }

/** The plans and overrides that still use a removed option, with links. Contract: Catalog 3. */
function OptionsInUse({ error }: { error: Error }) {
  const organizationId = useOrganizationId()
  if (!isServerError(error, 'OPTION_IN_USE')) return null
  const usage = error.details?.usage as Usage[]
  return (
    <List size="sm">
      {usage.flatMap(({ option, plans, overrides }) => [
        ...plans.map((planKey) => (
          <List.Item key={`plan ${option} ${planKey}`}>
            <code>{option}</code>: plan{' '}
            <Link to="/o/$organizationId/plans/$planKey" params={{ organizationId, planKey }}>
              {planKey}
            </Link>
          </List.Item>
        )),
        ...overrides.map((subscriberId) => (
          <List.Item key={`override ${option} ${subscriberId}`}>
            <code>{option}</code>: override of{' '}
            <Link to="/o/$organizationId/subscribers/$subscriberId" params={{ organizationId, subscriberId }}>
              {subscriberId}
            </Link>
          </List.Item>
        )),
      ])}
    </List>
  )
}
