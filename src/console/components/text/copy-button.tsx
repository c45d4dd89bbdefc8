import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { toastFailed } from '../feedback/toast.tsx'
import { CopyIcon, DoneIcon } from '../icons/actions.tsx'

/**
 * A button that copies the value. On a page without https, where the browser does not copy, it shows the value instead. `what`
 * completes "Copy …".
 */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const { copied, copy } = useClipboard({ timeout: 1500 })

  function copyOrShow(): void {
    if (window.isSecureContext) copy(value)
    else toastFailed(new Error(`The browser copies only from pages over https. Copy it yourself: ${value}`))
  }

  return (
    <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
      <ActionIcon variant="subtle" color="gray" size={24} aria-label={`Copy ${what}`} onClick={copyOrShow}>
        {copied ? <DoneIcon size={14} /> : <CopyIcon size={14} />}
      </ActionIcon>
    </Tooltip>
  )
}
