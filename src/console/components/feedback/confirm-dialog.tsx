import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { FormApiExample } from '../api/api-example-fold.tsx'
import type { ApiExample } from '../api/api-examples.ts'
import { looksSame } from '../text/looks-same.ts'
import { ErrorPanel } from './error-panel.tsx'
import { useIsSlow } from './use-is-slow.ts'

type Props = {
  opened: boolean
  title: string
  /** What the action affects, with numbers if there are any. */
  children: ReactNode
  /** The button's label: the verb and its object. */
  action: string
  /** The text to type before the button works, for an action that nobody can undo. */
  confirmationText?: string
  /** The same action as a request to the API. Actions that only a person can do have no example. */
  example?: ApiExample
  onConfirm(): Promise<unknown>
  onClose(): void
}

/** Asks before an action that cannot be undone. Stays open while the server decides, and shows why it refused. */
export function ConfirmDialog({
  opened,
  title,
  children,
  action,
  confirmationText,
  example,
  onConfirm,
  onClose,
}: Props) {
  const [text, setText] = useState('')
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: onConfirm, onSuccess: close })
  const isSlow = useIsSlow(isPending)

  function close(): void {
    setText('')
    reset()
    onClose()
  }

  function confirm(event: FormEvent): void {
    event.preventDefault()
    if (!isPending) mutate()
  }

  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form onSubmit={confirm}>
        <Stack>
          {children}
          {confirmationText !== undefined && (
            <TextInput
              label={`Type ${confirmationText} to confirm`}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {error && <ErrorPanel error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus={confirmationText === undefined || undefined}>
              Cancel
            </Button>
            <Button
              type="submit"
              color="red"
              loading={isSlow}
              disabled={confirmationText !== undefined && !looksSame(text, confirmationText)}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
      {example && <FormApiExample example={example} />}
    </Modal>
  )
}
