import { Tooltip } from '@mantine/core'

/** Notes of up to this many characters usually fit into their column. */
const maxShortLength = 24

/** The note of an override in a table. If the column may cut the note, hovering shows all of it. */
export function Note({ text }: { text: string | null }) {
  if (text === null) return '—'
  if (text.length <= maxShortLength) return text
  return (
    <Tooltip label={text} multiline maw={420}>
      <span data-hint>{text}</span>
    </Tooltip>
  )
}
