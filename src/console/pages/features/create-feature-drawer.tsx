import { Drawer } from '@mantine/core'
import { CreateFeatureForm } from './create-feature-form.tsx'

/** Stays out of the page while it is closed; what was typed is kept as the form's draft. */
export function CreateFeatureDrawer({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Add feature">
      <CreateFeatureForm onClose={onClose} />
    </Drawer>
  )
}
