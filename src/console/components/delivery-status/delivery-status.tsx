import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isServerError } from '../../api/errors.ts'
import {
  EventsOfSubscriberDocument,
  type EventsOfSubscriberQuery,
  type WebhookEventState,
  WebhookPauseDocument,
} from '../../generated/delivery-status.ts'
import { readOptions } from '../../session/queries.ts'
import { Moment } from '../text/moment.tsx'
import { StateBadge, type Tone } from '../text/state-badge.tsx'
import classes from './delivery-status.module.css'

type Event = NonNullable<EventsOfSubscriberQuery['webhookEvents']>['nodes'][number]

type Props = {
  /** Passed as a property, because a toast stays when the person goes to another page. */
  organizationId: string
  subscriberId: string
  /** The id of the subscriber's newest event before the write; null if there was none. */
  newestBefore: string | null
}

const everyMs = 2000

/** Whether the vendor's product was notified of a write: the event and its delivery, refreshed until it is settled. */
export function DeliveryStatus({ organizationId, subscriberId, newestBefore }: Props) {
  const [openedAt] = useState(() => Date.now())
  const [isSettled, setSettled] = useState(false)
  const pause = useQuery(readOptions(organizationId, WebhookPauseDocument, {}))
  const events = useQuery({
    ...readOptions(organizationId, EventsOfSubscriberDocument, { subscriberId }),
    refetchInterval: !isSettled && everyMs,
  })
  const newest = events.data?.webhookEvents.nodes[0]
  const event = newest && newest.id !== newestBefore ? newest : null
  // An answer from before the write says nothing about it.
  const isRead = events.dataUpdatedAt >= openedAt
  const settled = isRead && event?.state !== 'QUEUED'
  if (settled !== isSettled) setSettled(settled)
  if (isServerError(pause.error, 'NOT_FOUND'))
    return <Text c="dimmed">No webhook is connected: your product sees the change at its next check.</Text>
  return (
    <section aria-label="Was your product notified?" className={classes.status} aria-live="polite">
      <Text fw={500}>Was your product notified?</Text>
      {!isRead && <Text c="dimmed">{events.error ? events.error.message : 'Checking…'}</Text>}
      {isRead && !event && (
        <Text c="dimmed">Nothing was sent: the answers in your product’s cache are still correct.</Text>
      )}
      {isRead && event && (
        <Delivery organizationId={organizationId} event={event} isPaused={pause.data?.webhook.disabled === true} />
      )}
    </section>
  )
}

const tones: Record<WebhookEventState, Tone> = { QUEUED: 'neutral', DELIVERED: 'good', FAILED: 'bad' }

type DeliveryProps = { organizationId: string; event: Event; isPaused: boolean }

function Delivery({ organizationId, event, isPaused }: DeliveryProps) {
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
