import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isServerError } from '../../api/errors.ts'
import { DeliveryToSubscriberDocument, type DeliveryToSubscriberQuery } from '../../generated/delivery-status.ts'
import { readOptions } from '../../session/queries.ts'
import { Moment } from '../text/moment.tsx'
import { Since } from '../text/since.tsx'
import classes from './delivery-status.module.css'

type Delivery = NonNullable<NonNullable<DeliveryToSubscriberQuery['subscriber']>['delivery']>

type Props = {
  /** Not read from the page's address, because the toast stays when the person goes to another page. */
  organizationId: string
  subscriberId: string
  maySeeEvents: boolean
  /** The id of the subscriber's newest event before the write; null if there was none. */
  newestBefore: string | null
}

const pollIntervalMs = 1500

/** Shows whether the vendor's product received a write: follows the newest event until it is delivered or has failed. */
export function DeliveryStatus({ organizationId, subscriberId, maySeeEvents, newestBefore }: Props) {
  const [openedAt] = useState(() => Date.now())
  const [isSettled, setSettled] = useState(false)
  const { data, error, dataUpdatedAt } = useQuery({
    ...readOptions(organizationId, DeliveryToSubscriberDocument, { subscriberId }),
    refetchInterval: !isSettled && pollIntervalMs,
  })
  const isGone = isServerError(error, 'NOT_FOUND')
  // An answer from before the write says nothing about the write.
  const delivery = (dataUpdatedAt >= openedAt && !isGone && data?.subscriber.delivery) || null
  const isSent = delivery !== null && delivery.eventId !== newestBefore
  const settled = isGone || (delivery !== null && (!isSent || isFinal(delivery)))
  if (settled !== isSettled) setSettled(settled)
  const eventId = isSent ? delivery.eventId : null
  return (
    <section aria-label="Does your product know?" className={classes.status} aria-live="polite">
      {!delivery && !isGone && <Text c="dimmed">{error ? error.message : 'Checking whether your product knows…'}</Text>}
      {delivery && !isSent && <Text c="dimmed">{describeNothingSent(delivery)}</Text>}
      {isSent && <DeliverySentence delivery={delivery} />}
      {maySeeEvents && (eventId !== null || isGone) && (
        <Link
          to="/o/$organizationId/webhook"
          params={{ organizationId }}
          search={eventId === null ? { subscriber: subscriberId } : { delivery: eventId }}
        >
          {eventId === null ? 'Deliveries for this subscriber' : 'Delivery'}
        </Link>
      )}
    </section>
  )
}

function isFinal({ state }: Delivery): boolean {
  return state === 'DELIVERED' || state === 'FAILED'
}

function describeNothingSent({ state }: Delivery): string {
  return state === 'NONE'
    ? 'Nothing was sent: no webhook is connected, or the answers in your product’s cache are still correct.'
    : 'Nothing was sent: the answers in your product’s cache are still correct.'
}

function DeliverySentence({ delivery: { state, deliveredAt, nextAttemptAt, pausedAt } }: { delivery: Delivery }) {
  switch (state) {
    case 'DELIVERED':
      return <Text>Your product was told {deliveredAt && <Moment at={deliveredAt} />}.</Text>
    case 'FAILED':
      return <Text c="red">Your product does not know: it did not accept the event, and no attempts are left.</Text>
    case 'PAUSED':
      return (
        <Text>Deliveries have been paused {pausedAt && <Since at={pausedAt} />}; your product does not know yet.</Text>
      )
    case 'RETRYING':
      return (
        <Text>
          Your product does not know yet: an attempt failed; the next one is due{' '}
          {nextAttemptAt && <Moment at={nextAttemptAt} />}.
        </Text>
      )
    default:
      return <Text>Your product is being told…</Text>
  }
}
