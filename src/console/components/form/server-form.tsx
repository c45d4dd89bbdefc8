import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../feedback/error-panel.tsx'
import type { ServerForm as State } from './use-server-form.ts'

type Props<Values extends object> = {
  state: State<Values>
  /** On the button: the verb and its object. */
  action: string
  children: ReactNode
  onCancel?: () => void
  /** The button as wide as the form, where it stands by itself. */
  fullWidth?: boolean
}

/** The fields, what was refused, and the button that sends. */
export function ServerForm<Values extends object>({ state, action, children, onCancel, fullWidth }: Props<Values>) {
  return (
    <form onSubmit={state.onSubmit} noValidate>
      <Stack gap="md">
        {children}
        {state.error && <ErrorPanel error={state.error} />}
        <Group justify="flex-end" mt={4}>
          {onCancel && (
            <Button
              variant="default"
              onClick={() => {
                state.discard()
                onCancel()
              }}
            >
              Cancel
            </Button>
          )}
          <Button type="submit" loading={state.isRunning} fullWidth={fullWidth}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
