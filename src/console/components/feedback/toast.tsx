import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

let shown = 0

/** Says that a write was confirmed; with `undo`, offers to take it back. */
export function toastDone(message: string, undo?: () => Promise<unknown>): void {
  const id = `toast-${++shown}`

  async function takeBack(): Promise<void> {
    notifications.hide(id)
    try {
      await undo?.()
      toastDone('Undone.')
    } catch (error) {
      toastFailed(error as Error)
    }
  }

  notifications.show({
    id,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text>{message}</Text>
        {undo && (
          <Button size="compact-sm" variant="subtle" flex="none" onClick={() => void takeBack()}>
            Undo
          </Button>
        )}
      </Group>
    ),
    autoClose: undo ? 10_000 : 4000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
}

export function toastFailed(error: Error): void {
  notifications.show({
    color: 'red',
    message: error.message,
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
}
