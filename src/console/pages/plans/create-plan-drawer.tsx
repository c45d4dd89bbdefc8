import { Drawer } from '@mantine/core'
import { CreatePlanForm } from './create-plan-form.tsx'
import type { Plan } from './plan.ts'

type Props = { opened: boolean; plans: readonly Plan[]; onClose(): void }

/** Stays out of the page while it is closed; what was typed is kept as the form's draft. */
export function CreatePlanDrawer({ opened, plans, onClose }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Add plan">
      <CreatePlanForm plans={plans} onClose={onClose} />
    </Drawer>
  )
}
