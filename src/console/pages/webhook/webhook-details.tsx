import { Properties } from '../../components/page/properties.tsx'
import { CopyButton } from '../../components/text/copy-button.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/text/state-badge.tsx'
import type { WebhookQuery } from '../../generated/webhook.ts'

type Webhook = NonNullable<WebhookQuery['webhook']>

export function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const { url, secretPrefix, updatedAt } = webhook
  return (
    <Properties
      items={[
        [
          'Address',
          <span key="url">
            <code>{url}</code> <CopyButton value={url} what="address" />
          </span>,
        ],
        ['State', <State key="state" webhook={webhook} />],
        ['Secret', <code key="secret">{secretPrefix}…</code>],
        ['Changed', <Moment key="changed" at={updatedAt} />],
      ]}
    />
  )
}

function State({ webhook: { disabled, disabledAt, disabledByFailures } }: { webhook: Webhook }) {
  if (!disabled) return <StateBadge tone="good">delivering</StateBadge>
  return (
    <>
      <StateBadge tone={disabledByFailures ? 'bad' : 'warn'}>paused</StateBadge>{' '}
      {disabledByFailures ? 'after 8 events in a row ran out of attempts' : 'by hand'}
      {disabledAt !== null && (
        <>
          , <Moment at={disabledAt} />
        </>
      )}
    </>
  )
}
