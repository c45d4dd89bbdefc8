import type { DeliveryQuery, WebhookEventsQuery, WebhookQuery } from '../../generated/webhook.ts'

export type Webhook = NonNullable<WebhookQuery['webhook']>
export type Counts = NonNullable<WebhookQuery['webhookEventCounts']>
/** An event as the list shows it. */
export type Delivery = NonNullable<WebhookEventsQuery['webhookEvents']>['nodes'][number]
/** An event with the request and the answer of each attempt. */
export type OpenDelivery = NonNullable<DeliveryQuery['webhookEvent']>
export type Attempt = OpenDelivery['attempts'][number]

/** The host, by which people know the webhook. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** The subject of an event: "acme", "plan pro". Empty for a test. */
export function subjectOf({ body }: Pick<Delivery, 'body'>): string {
  const event: { subscriber_id?: string; key?: string } = JSON.parse(body)
  if (event.subscriber_id !== undefined) return event.subscriber_id
  return event.key === undefined ? '' : `plan ${event.key}`
}
