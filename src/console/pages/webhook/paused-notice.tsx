import { Text } from '@mantine/core'
import { WarningIcon } from '../../components/icons/actions.tsx'
import { formatNumber } from '../../components/text/number.ts'
import { Since } from '../../components/text/since.tsx'
import classes from './webhook.module.css'
import type { EventCounts, Webhook } from './webhook.ts'

/** Says since when and why deliveries are paused, and how many events wait. */
export function PausedNotice({ webhook, counts }: { webhook: Webhook; counts: EventCounts }) {
  const { disabled, disabledAt, disabledByFailures, failuresToPause } = webhook
  if (!disabled) return null
  const { queued } = counts
  return (
    <div role="status" className={classes.paused}>
      <WarningIcon />
      <div>
        <Text fw={600}>Deliveries have been paused {disabledAt !== null && <Since at={disabledAt} />}</Text>
        <Text>
          {disabledByFailures
            ? `${failuresToPause} events in a row ran out of attempts. Fix your receiver, then resume. `
            : 'Someone paused them. '}
          {queued === 0
            ? 'No events are waiting; new ones will be queued.'
            : `${formatNumber(queued)} ${queued === 1 ? 'event is' : 'events are'} waiting and will be sent when deliveries resume.`}
        </Text>
      </div>
    </div>
  )
}
