import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
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
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null)
  const text = useRef<HTMLElement>(null)
  const copyButton = useRef<HTMLButtonElement>(null)
  // This replaces the form that had the focus.
  useEffect(() => copyButton.current?.focus(), [])

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value)
      setOutcome('copied')
    } catch {
      // The person refused access to the clipboard, or the page is not served over https.
      if (text.current) window.getSelection()?.selectAllChildren(text.current)
      setOutcome('refused')
    }
  }

  return (
    <Stack gap="sm">
      <Text>{children}</Text>
      <code ref={text} className={classes.value}>
        {value}
      </code>
      <Text role="status" className={classes.outcome} c={outcome === 'refused' ? 'var(--text-bad)' : 'dimmed'}>
        {outcome === 'copied' && `The ${what} is in the clipboard.`}
        {outcome === 'refused' && `The browser did not copy it. The ${what} is selected: copy it yourself.`}
      </Text>
      <Group justify="space-between">
        <Button
          ref={copyButton}
          data-autofocus
          variant="default"
          leftSection={outcome === 'copied' ? <DoneIcon size={16} /> : <CopyIcon size={16} />}
          onClick={() => void copy()}
        >
          Copy the {what}
        </Button>
        <Button onClick={onDone}>{done}</Button>
      </Group>
    </Stack>
  )
}
