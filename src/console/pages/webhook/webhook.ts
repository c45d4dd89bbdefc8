import { formatNumber } from '../../components/text/number.ts'
import type { DeliveryQuery, WebhookEventsQuery, WebhookQuery } from '../../generated/webhook.ts'

export type Webhook = NonNullable<WebhookQuery['webhook']>
export type EventCounts = NonNullable<WebhookQuery['webhookEventCounts']>
/** An event as the list shows it. */
export type Delivery = NonNullable<WebhookEventsQuery['webhookEvents']>['nodes'][number]
/** An event with the request and the answer of each attempt. */
export type DeliveryWithAttempts = NonNullable<DeliveryQuery['webhookEvent']>
export type Attempt = DeliveryWithAttempts['attempts'][number]

/** The host of the webhook's address, by which people know it. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** The part of an event's body that the page shows. */
export type EventBody = { type: string; subscriber_id?: string; key?: string }

/** The subject of an event: "acme", "plan pro". Empty for a test, and for a change of the catalog. */
export function subjectOf({ body }: Pick<Delivery, 'body'>): string {
  return subjectOfEvent(JSON.parse(body))
}

export function subjectOfEvent({ subscriber_id: subscriberId, key }: EventBody): string {
  if (subscriberId !== undefined) return subscriberId
  return key === undefined ? '' : `plan ${key}`
}

/** "1 event waits", "1,234 events wait". */
export function describeWaitingEvents(queued: number): string {
  return `${formatNumber(queued)} ${queued === 1 ? 'event waits' : 'events wait'}`
}

/** Whether the event waits for deliveries to resume. Tests are sent even while deliveries are paused. */
export function waitsForResume({ type }: Pick<Delivery, 'type'>, isPaused: boolean): boolean {
  return isPaused && type !== 'webhook.test'
}
