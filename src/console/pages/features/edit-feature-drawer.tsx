import { Drawer } from '@mantine/core'
import { EditFeatureForm } from './edit-feature-form.tsx'
import type { Feature } from './feature.ts'

type Props = { feature: Feature; opened: boolean; onClose(): void }

export function EditFeatureDrawer({ feature, opened, onClose }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Edit feature">
      <EditFeatureForm feature={feature} onClose={onClose} />
    </Drawer>
  )
}
