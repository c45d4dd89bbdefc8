import { Button, Group, Stack, Text } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'

type ToastOptions = {
  /** Shown below the message. */
  detail?: ReactNode
  /** Called before Undo writes. Resolves to the detail of the toast that says "Undone.". */
  followUp?: () => Promise<ReactNode>
}

/** A toast with Undo stays at least this long, and then until the person dismisses it or makes the next change. */
const minUndoToastMs = 30_000

/** When the toasts that offer Undo were shown, by id. */
const undoToastTimes = new Map<string, number>()

/** The maximum number of toasts on the page. If there are as many, a new toast replaces the oldest. */
export const maxToasts = 3

let toastCount = 0
const shownToastIds = new Set<string>()

const nextId = () => `toast-${++toastCount}`

function showToast(toast: NotificationData & { id: string }): void {
  const oldest = [...shownToastIds][shownToastIds.size - maxToasts]
  if (oldest !== undefined) notifications.hide(oldest)
  shownToastIds.add(toast.id)
  notifications.show({
    closeButtonProps: { 'aria-label': 'Dismiss' },
    onClose() {
      shownToastIds.delete(toast.id)
      undoToastTimes.delete(toast.id)
    },
    ...toast,
  })
}

/** Shows that a write has succeeded. With `undo`, the toast has a button that reverts the write. */
export function toastDone(
  message: string,
  undo?: () => Promise<unknown>,
  { detail, followUp }: ToastOptions = {},
): void {
  const id = nextId()
  hideOldUndoToasts()
  if (undo) undoToastTimes.set(id, Date.now())

  async function undoAndConfirm(): Promise<void> {
    notifications.hide(id)
    try {
      const undone = await followUp?.()
      await undo?.()
      toastDone('Undone.', undefined, { detail: undone })
    } catch (error) {
      toastFailed(error as Error)
    }
  }

  showToast({
    id,
    message: (
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap">
          <Text>{message}</Text>
          {undo && (
            <Button size="compact-sm" variant="subtle" flex="none" onClick={() => void undoAndConfirm()}>
              Undo
            </Button>
          )}
        </Group>
        {detail}
      </Stack>
    ),
    autoClose: undo ? false : detail ? 10_000 : 4000,
  })
}

function hideOldUndoToasts(): void {
  for (const [id, at] of undoToastTimes) if (Date.now() - at > minUndoToastMs) notifications.hide(id)
}

export function hideToasts(): void {
  for (const id of shownToastIds) notifications.hide(id)
}

export function toastFailed(error: Error): void {
  showToast({ id: nextId(), color: 'red', message: error.message, autoClose: false })
}
