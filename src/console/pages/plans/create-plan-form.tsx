import { NativeSelect } from '@mantine/core'
import { toastDone } from '../../components/feedback/toast.tsx'
import { emptyValues, FieldInputs, toInput, withoutName } from '../../components/form/fields.tsx'
import { KeyInput } from '../../components/form/key-input.tsx'
import { NameAndKey } from '../../components/form/name-and-key.tsx'
import { ServerForm } from '../../components/form/server-form.tsx'
import { useServerForm } from '../../components/form/use-server-form.ts'
import { CreatePlanDocument, DeletePlanDocument } from '../../generated/plans.ts'
import { useOrganizationWrite } from '../../session/queries.ts'
import { createPlanExample } from './api-examples.ts'
import { type Grants, grantsOf, type Plan, planFields, toGrantInputs } from './plan.ts'

const empty = { ...emptyValues(planFields), key: '', kind: 'standard', from: '' }

export function CreatePlanForm({ plans, onClose }: { plans: readonly Plan[]; onClose(): void }) {
  const write = useOrganizationWrite()

  /** The grants of the plan with the key `from`; null if there is no such plan. */
  function grantsLike(from: string): Grants | null {
    const model = plans.find(({ key }) => key === from)
    return model ? grantsOf(model) : null
  }

  const state = useServerForm({
    initialValues: empty,
    draft: 'create-plan',
    async submit({ from, ...typed }) {
      const values = toInput(planFields, typed)
      const grants = grantsLike(from)
      await write(CreatePlanDocument, { input: { ...values, ...(grants && { grants: toGrantInputs(grants) }) } })
      toastDone(`Plan ${values.key} was added.`, () => write(DeletePlanDocument, { input: { key: values.key } }))
      onClose()
    },
  })
  const { form } = state
  const { from, ...typed } = form.values
  return (
    <ServerForm
      state={state}
      action="Add plan"
      onCancel={onClose}
      example={createPlanExample(toInput(planFields, typed), grantsLike(from))}
    >
      <NameAndKey form={form} description="The name that your code uses for the plan." />
      <KeyInput
        label="Kind"
        description="Your own word to group plans, such as standard or custom. It never changes."
        {...form.getInputProps('kind')}
      />
      <FieldInputs form={form} fields={withoutName(planFields)} />
      <NativeSelect
        label="Grants"
        data={[
          { value: '', label: 'No grants yet' },
          ...plans.map((plan) => ({ value: plan.key, label: `The same as ${plan.name}` })),
        ]}
        {...form.getInputProps('from')}
      />
    </ServerForm>
  )
}
