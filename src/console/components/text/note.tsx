import { Tooltip } from '@mantine/core'

/** Up to here a note is seldom cut by its column. */
const short = 24

/** The note of an override in a table; whole on hover where it may be cut. */
export function Note({ text }: { text: string | null }) {
  if (text === null) return '—'
  if (text.length <= short) return text
  return (
    <Tooltip label={text} multiline maw={420}>
      <span>{text}</span>
    </Tooltip>
  )
}
