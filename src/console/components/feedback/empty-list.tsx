import { Button } from '@mantine/core'
import { EmptyState } from './empty-state.tsx'

type Props = {
  title: string
  /** What the list would hold. */
  children: string
  /** On the button that adds the first one. */
  action: string
  /** Null for those who may not add any. */
  onAdd: (() => void) | null
}

/** Where there is nothing yet, with the way to the first one. */
export function EmptyList({ title, children, action, onAdd }: Props) {
  return (
    <EmptyState
      title={title}
      action={
        onAdd && (
          <Button variant="default" onClick={onAdd}>
            {action}
          </Button>
        )
      }
    >
      {children}
    </EmptyState>
  )
}
