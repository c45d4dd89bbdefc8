import { Since } from '../../components/text/since.tsx'
import { StateBadge } from '../../components/text/state-badge.tsx'
import type { Webhook } from './webhook.ts'

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { disabled, disabledAt, disabledByFailures, exhaustedInARow, failuresToPause } = webhook
  if (disabled) {
    return (
      <>
        <StateBadge tone={disabledByFailures ? 'bad' : 'warn'}>paused</StateBadge>{' '}
        {disabledByFailures ? 'after failures' : 'manually'}
        {disabledAt !== null && (
          <>
            {' '}
            <Since at={disabledAt} />
          </>
        )}
      </>
    )
  }
  if (exhaustedInARow === 0) return <StateBadge tone="good">delivering</StateBadge>
  return (
    <>
      <StateBadge tone="warn">failing</StateBadge> The last{' '}
      {exhaustedInARow === 1 ? 'event' : `${exhaustedInARow} events`} could not be delivered. After {failuresToPause},
      deliveries pause.
    </>
  )
}
