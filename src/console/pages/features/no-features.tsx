import { Button } from '@mantine/core'
import { EmptyState } from '../../components/feedback/empty-state.tsx'

export function NoFeatures({ onAdd }: { onAdd: (() => void) | null }) {
  return (
    <EmptyState
      title="No features yet"
      action={
        onAdd && (
          <Button variant="default" onClick={onAdd}>
            Add the first feature
          </Button>
        )
      }
    >
      A feature is a flag that is on or off, a limit that counts, or a config value such as a region.
    </EmptyState>
  )
}
