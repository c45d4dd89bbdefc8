import { Drawer, TextInput } from '@mantine/core'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { ServerForm } from '../../../components/form/server-form.tsx'
import { useServerForm } from '../../../components/form/use-server-form.ts'
import { UpdatePlanDocument } from '../../../generated/plans.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { renamePlanExample } from '../api-examples.ts'
import type { Plan } from '../plan.ts'

type Props = { plan: Plan; opened: boolean; onClose(): void }

export function EditPlanDrawer({ plan, opened, onClose }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Rename plan">
      <EditPlanForm plan={plan} onClose={onClose} />
    </Drawer>
  )
}

function EditPlanForm({ plan, onClose }: Omit<Props, 'opened'>) {
  const write = useOrganizationWrite()
  const state = useServerForm({
    initialValues: { name: plan.name },
    draft: `edit-plan ${plan.key}`,
    stored: { version: plan.updatedAt, labels: { name: 'Name' } },
    async submit({ name }, expectedUpdatedAt) {
      const { updatePlan } = await write(UpdatePlanDocument, { input: { key: plan.key, name, expectedUpdatedAt } })
      const undo = { key: plan.key, name: plan.name, expectedUpdatedAt: updatePlan.updatedAt }
      toastDone('The plan is renamed.', () => write(UpdatePlanDocument, { input: undo }))
      onClose()
    },
  })
  return (
    <ServerForm
      state={state}
      action="Rename"
      onCancel={onClose}
      example={renamePlanExample(plan.key, state.form.values.name)}
    >
      <TextInput label="Name" data-autofocus {...state.form.getInputProps('name')} />
    </ServerForm>
  )
}
