import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { CopyIcon, DoneIcon } from '../icons/actions.tsx'

/** Copies with one click and says so. `what` completes "Copy …". */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const { copied, copy } = useClipboard({ timeout: 1500 })
  return (
    <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
      <ActionIcon variant="subtle" color="gray" size={24} aria-label={`Copy ${what}`} onClick={() => copy(value)}>
        {copied ? <DoneIcon size={14} /> : <CopyIcon size={14} />}
      </ActionIcon>
    </Tooltip>
  )
}
