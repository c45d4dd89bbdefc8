import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { ApiExample } from '../api/api-examples.ts'
import { FormApi } from '../api/form-api.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { useSlow } from './use-slow.ts'

type Props = {
  opened: boolean
  title: string
  /** What it reaches, in numbers where there are any. */
  children: ReactNode
  /** On the button: the verb and its object. */
  action: string
  /** The text to type before the button works, for what nobody can undo. */
  typed?: string
  /** The same for a program; personal actions have none. */
  example?: ApiExample
  onConfirm(): Promise<unknown>
  onClose(): void
}

/** Asks once before what cannot be undone. Stays open while the server decides, and shows why it refused. */
export function ConfirmDialog({ opened, title, children, action, typed, example, onConfirm, onClose }: Props) {
  const [text, setText] = useState('')
  const [error, setError] = useState<Error | null>(null)
  const [isRunning, setIsRunning] = useState(false)
  const isSlow = useSlow(isRunning)

  function close(): void {
    setText('')
    setError(null)
    onClose()
  }

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isRunning) return
    setIsRunning(true)
    try {
      await onConfirm()
      close()
    } catch (reason) {
      setError(reason as Error)
    } finally {
      setIsRunning(false)
    }
  }

  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={(event) => void confirm(event)}>
        <Stack>
          {children}
          {typed !== undefined && (
            <TextInput
              label={`Type ${typed} to confirm`}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {error && <ErrorPanel error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={isSlow} disabled={typed !== undefined && text !== typed}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
      {example && <FormApi example={example} />}
    </Modal>
  )
}
