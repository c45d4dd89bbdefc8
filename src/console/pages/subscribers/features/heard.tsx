import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isServerError } from '../../../api/errors.ts'
import { useOrganizationQuery } from '../../../api/queries.ts'
import { Moment } from '../../../components/text/moment.tsx'
import { StateBadge, type Tone } from '../../../components/text/state-badge.tsx'
import { useOrganizationId } from '../../../frame/use-organization-id.ts'
import { useMay } from '../../../frame/viewer.ts'
import {
  EventsOfSubscriberDocument,
  type EventsOfSubscriberQuery,
  type WebhookEventState,
  WebhookPauseDocument,
} from '../../../generated/explanation.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import classes from './heard.module.css'

type Event = NonNullable<EventsOfSubscriberQuery['webhookEvents']>['nodes'][number]

/** Did the vendor's product hear of it: the event of this subscriber and its delivery, live until it is settled. */
export function Heard({ since }: { since: string }) {
  return useMay('webhooks:read') ? <LatestEvent since={since} /> : null
}

const everyMs = 2000

function LatestEvent({ since }: { since: string }) {
  const { subscriberId } = useSubscriberSearch()
  const pause = useOrganizationQuery(WebhookPauseDocument, {})
  const [openedAt] = useState(() => Date.now())
  const [isSettled, setSettled] = useState(false)
  const events = useOrganizationQuery(
    EventsOfSubscriberDocument,
    { subscriberId },
    { refetchInterval: !isSettled && everyMs },
  )
  const hasNone = isServerError(pause.error, 'NOT_FOUND')
  const latest = events.data?.webhookEvents.nodes[0]
  const event = latest && isSince(latest, since) ? latest : null
  // What was read before the write says nothing about it.
  const isRead = events.dataUpdatedAt >= openedAt
  const settled = isRead && event?.state !== 'QUEUED'
  if (settled !== isSettled) setSettled(settled)
  if (hasNone) return <Text c="dimmed">No webhook is connected: your product hears of it when it asks.</Text>
  if (!isRead) return null
  return (
    <section aria-label="Did your product hear of it?" className={classes.heard} aria-live="polite">
      <Text fw={500}>Did your product hear of it?</Text>
      {event ? (
        <Delivery event={event} isPaused={pause.data?.webhook.disabled === true} />
      ) : (
        <Text c="dimmed">Nothing was sent: for your product nothing changed.</Text>
      )}
    </section>
  )
}

/** The clocks of two requests differ by the time that the write took. */
const slackMs = 1000

function isSince({ occurredAt }: Event, since: string): boolean {
  return Date.parse(occurredAt) >= Date.parse(since) - slackMs
}

const tones: Record<WebhookEventState, Tone> = { QUEUED: 'neutral', DELIVERED: 'good', FAILED: 'bad' }

function Delivery({ event, isPaused }: { event: Event; isPaused: boolean }) {
  const organizationId = useOrganizationId()
  const { id, state, dueAt, finishedAt, attempts } = event
  const last = attempts.at(-1)
  return (
    <div className={classes.delivery}>
      <StateBadge tone={tones[state]}>{state.toLowerCase()}</StateBadge>
      {state === 'DELIVERED' && finishedAt && <Moment at={finishedAt} />}
      {state === 'QUEUED' && isPaused && <span>deliveries are paused</span>}
      {state === 'QUEUED' && !isPaused && dueAt && (
        <span>
          next attempt <Moment at={dueAt} />
        </span>
      )}
      {state !== 'DELIVERED' && last && <span>last answer: {last.status ?? last.error}</span>}
      <Link to="/o/$organizationId/webhook" params={{ organizationId }} search={{ delivery: id }}>
        Delivery
      </Link>
    </div>
  )
}
