import { Modal } from '@mantine/core'
import { SearchPanel } from './search-panel.tsx'

/** Above any dialog that may be open. */
const aboveDialogs = 300

export function SearchDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={600}
      yOffset="10dvh"
      centered={false}
      zIndex={aboveDialogs}
      returnFocus={false}
      // Typing goes on at once.
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label="Search">
        <SearchPanel onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}
