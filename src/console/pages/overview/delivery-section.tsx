import { Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Section } from '../../components/page/section.tsx'
import { Figure } from '../../components/text/figure.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { formatNumber } from '../../components/text/number.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { StateBadge } from '../../components/text/state-badge.tsx'
import { useOrganizationId } from '../../session/organization-id.ts'
import classes from './delivery-section.module.css'
import type { Webhook } from './problems.ts'
import { useDeliveries, useWebhook } from './reads.ts'

/** The webhook's state, its queued events and the events that ran out of attempts. */
export function DeliverySection() {
  const organizationId = useOrganizationId()
  const query = useWebhook()
  const open = (
    <Link to="/o/$organizationId/webhook" params={{ organizationId }}>
      Open
    </Link>
  )
  return (
    <Section title="Webhook" actions={open}>
      <Loaded query={query} skeleton={<Skeleton height={196} />}>
        {(webhook) =>
          webhook ? (
            <Health webhook={webhook} />
          ) : (
            <Text c="dimmed">
              No webhook yet. With one, your product learns at once that a cached answer is out of date.
            </Text>
          )
        }
      </Loaded>
    </Section>
  )
}

function Health({ webhook }: { webhook: Webhook }) {
  const { data } = useDeliveries()
  const counts = data?.webhookEventCounts
  const delivered = data?.delivered.nodes[0]?.finishedAt
  const rows: [string, ReactNode][] = [
    ['State', <State key="state" {...webhook} />],
    ['Address', <code key="url">{shortenMiddle(webhook.url, 60)}</code>],
    ['Last delivered', delivered ? <Moment key="delivered" at={delivered} /> : data && 'never'],
    ['Waiting', counts && <Figure key="waiting">{formatNumber(counts.queued - counts.retrying)}</Figure>],
    ['Waiting to be retried', counts && <Figure key="retrying">{formatNumber(counts.retrying)}</Figure>],
    ['Out of attempts', counts && <Figure key="failed">{formatNumber(counts.failed)}</Figure>],
  ]
  return (
    <dl className={classes.list}>
      {rows.map(([name, value]) => (
        <div key={name} className={classes.row}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function State({ disabled, disabledByFailures }: Webhook) {
  if (!disabled) return <StateBadge tone="good">delivering</StateBadge>
  return <StateBadge tone={disabledByFailures ? 'bad' : 'warn'}>paused</StateBadge>
}
