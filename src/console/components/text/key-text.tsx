import { Tooltip } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import classes from './key-text.module.css'
import { shortenMiddle } from './shorten.ts'

/** Keys of up to this many characters stay on one line. */
const maxOneLineLength = 32

type Props = {
  value: string
  /** A longer text is shortened to this many characters. */
  max?: number
  /** Completes "Copy …". Without this property, there is no button. */
  copy?: string
}

/** Shows a key or an id, shortened in the middle. Hovering shows the full text, and a button copies it. */
export function KeyText({ value, max = 32, copy }: Props) {
  const shown = shortenMiddle(value, max)
  const className = max <= maxOneLineLength ? `${classes.code} ${classes.line}` : classes.code
  const code = <code className={className}>{shown}</code>
  const hinted = (
    <Tooltip label={value}>
      <code className={className} data-hint>
        {shown}
      </code>
    </Tooltip>
  )
  return (
    <span className={classes.key}>
      {shown === value ? code : hinted}
      {copy && <CopyButton value={value} what={copy} />}
    </span>
  )
}
