import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  title: string
  /** What the list is for. */
  children: string
  /** The label of the button that adds the first item. */
  action: string
  /** Opens the form for a new item; null if the person may not add items. */
  onAdd: (() => void) | null
}

/** Replaces a list that is still empty, with a button that adds the first item. */
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

/** Replaces a list without rows: says what belongs here and how to add it. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap={6} py={56} px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text c="dimmed" maw="44ch">
          {children}
        </Text>
      )}
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}
