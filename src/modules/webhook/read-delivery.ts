import { noInput } from '../../core/input.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { loadSubscriber } from '../subscribers/subscriber.ts'
import { type Delivery, deliveryAnswer, noDelivery } from './delivery.ts'
import type { WebhookEvent } from './event.ts'

/** For everyone who may read overrides: it shows neither the address nor what the receiver answered. */
export const readDelivery = defineRead({
  name: 'delivery',
  summary: 'Read whether the receiver heard of the newest event about a subscriber.',
  route: '/org/subscribers/{subscriber_id}/delivery',
  service: 'api',
  labels: ['overrides:read'],
  input: noInput,
  answer: deliveryAnswer,
  async run({ db, organizationId, path }): Promise<Delivery> {
    const { id } = await loadSubscriber(db, organizationId, path.subscriber_id)
    const deliveries = await loadDeliveries({ db, organizationId }, [id])
    return deliveries.get(id) ?? noDelivery
  },
})

type Newest = Pick<WebhookEvent, 'id' | 'state' | 'attempts' | 'occurredAt' | 'dueAt' | 'finishedAt'> & {
  isPaused: boolean
  pausedAt: Date | null
}

/** Of so many events with the latest ids, the one that was queued last is the newest: ids come from the clocks of processes. */
const lookedAt = 20

/** The delivery of each subscriber's newest event; a subscriber without one is not in the map. */
export async function loadDeliveries(
  { db, organizationId }: Pick<ReadScope, 'db' | 'organizationId'>,
  subscriberIds: readonly string[],
): Promise<Map<string, Delivery>> {
  const rows = await db.$queryRaw<(Newest & { subscriberId: string })[]>`
    select asked.id as "subscriberId", endpoint.disabled as "isPaused", endpoint.disabled_at as "pausedAt",
           event.event_id as id, event.state, event.attempts,
           event.occurred_at as "occurredAt", event.due_at as "dueAt", event.finished_at as "finishedAt"
      from webhook_endpoint endpoint
     cross join unnest(${subscriberIds}::text[]) as asked (id)
     cross join lateral (
       select * from (
         select * from webhook_event
          where organization_id = ${organizationId} and subscriber_id = asked.id
          order by event_id desc limit ${lookedAt}) latest
        order by sequence desc limit 1) event
     where endpoint.organization_id = ${organizationId}`
  return new Map(rows.map(({ subscriberId, ...row }) => [subscriberId, toDelivery(row)]))
}

function toDelivery({ id, state, attempts, occurredAt, dueAt, finishedAt, isPaused, pausedAt }: Newest): Delivery {
  const found = { ...noDelivery, eventId: id, occurredAt }
  if (state === 'delivered') return { ...found, state, deliveredAt: finishedAt }
  if (state === 'failed') return { ...found, state }
  if (isPaused) return { ...found, state: 'paused', pausedAt }
  return { ...found, state: attempts === 0 ? 'queued' : 'retrying', nextAttemptAt: dueAt }
}
