import { Tooltip } from '@mantine/core'
import { formatExact, formatLocal, formatRelative, formatUtc } from './format-time.ts'
import { useTimeStyle } from './time-style.ts'
import { useNow } from './use-now.ts'

/** Shows a time as relative or exact, as the person prefers. Hovering shows the local time and UTC. */
export function Moment({ at }: { at: string }) {
  const style = useTimeStyle()
  const now = useNow()
  const time = new Date(at)
  return (
    <Tooltip label={formatExact(time)}>
      <time dateTime={at} data-utc={formatUtc(time)} data-hint>
        {style === 'exact' ? formatLocal(time) : formatRelative(time, now)}
      </time>
    </Tooltip>
  )
}

/** When a member last acted; a dash when the service does not know. */
export function LastSeen({ at }: { at: string | null }) {
  return at ? <Moment at={at} /> : '—'
}
