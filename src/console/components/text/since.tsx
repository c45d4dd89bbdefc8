import { Tooltip } from '@mantine/core'
import { formatExact, formatLocal, formatSince, formatUtc } from './format-time.ts'
import { useTimeStyle } from './time-style.ts'
import { useNow } from './use-now.ts'

/** Shows when a state began: "since 20:20 (3 min ago)", "since yesterday". Hovering shows the exact time. */
export function Since({ at }: { at: string }) {
  const style = useTimeStyle()
  const now = useNow()
  const time = new Date(at)
  return (
    <Tooltip label={formatExact(time)}>
      <time dateTime={at} data-utc={`since ${formatUtc(time)}`} data-hint>
        {style === 'exact' ? `since ${formatLocal(time)}` : formatSince(time, now)}
      </time>
    </Tooltip>
  )
}
