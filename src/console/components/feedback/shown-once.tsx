import { Button, Group, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import { CopyIcon, DoneIcon } from '../icons/actions.tsx'
import classes from './shown-once.module.css'

type Props = {
  /** Completes "Copy the …". */
  what: string
  value: string
  /** What the secret is for, and that it is not shown again. */
  children: ReactNode
  /** The label of the closing button. */
  done?: string
  onDone(): void
}

/** A secret that was just created. It cannot be read again, so the person confirms that they have stored it. */
export function ShownOnce({ what, value, children, done = 'I have stored it', onDone }: Props) {
  const { copied, copy } = useClipboard({ timeout: 3000 })
  const copyButton = useRef<HTMLButtonElement>(null)
  // The form that had the focus is gone.
  useEffect(() => copyButton.current?.focus(), [])
  return (
    <Stack gap="sm">
      <Text>{children}</Text>
      <code className={classes.value}>{value}</code>
      <Group justify="space-between">
        <Button
          ref={copyButton}
          variant="default"
          leftSection={copied ? <DoneIcon size={16} /> : <CopyIcon size={16} />}
          onClick={() => copy(value)}
        >
          <span aria-live="polite">{copied ? 'Copied' : `Copy the ${what}`}</span>
        </Button>
        <Button onClick={onDone}>{done}</Button>
      </Group>
    </Stack>
  )
}
