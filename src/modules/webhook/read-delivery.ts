import { noInput } from '../../core/input.ts'
import { defineRead, type ReadScope } from '../../operation/operation.ts'
import { loadSubscriber } from '../subscribers/subscriber.ts'
import { type Delivery, deliveryAnswer, emptyDelivery, type NewestDelivery, noNewestDelivery } from './delivery.ts'
import type { WebhookEvent } from './event.ts'

/** Everyone who may read overrides may read this, because it shows neither the address nor the receiver's answer. */
export const readDelivery = defineRead({
  name: 'delivery',
  summary: 'Read whether the receiver acknowledged the newest event about a subscriber.',
  route: '/org/subscribers/{subscriber_id}/delivery',
  service: 'api',
  labels: ['overrides:read'],
  input: noInput,
  answer: deliveryAnswer,
  async run({ db, organizationId, path }): Promise<Delivery> {
    const { id } = await loadSubscriber(db, organizationId, path.subscriber_id)
    const deliveries = await loadDeliveries({ db, organizationId }, [id])
    return deliveries.get(id) ?? emptyDelivery
  },
})

type NewestEvent = Pick<WebhookEvent, 'id' | 'state' | 'attempts' | 'occurredAt' | 'dueAt' | 'finishedAt'> & {
  subscriberId: string
  isOfPlan: boolean
  isPaused: boolean
  pausedAt: Date | null
}

/**
 * The newest event is the one that was queued last among this many events with the latest ids. Ids alone do not decide, because
 * they come from the clocks of different processes.
 */
const maxEventsRead = 20

/** Loads the deliveries of the subscribers' newest events. Leaves out subscribers without an event. */
export async function loadDeliveries(
  { db, organizationId }: Pick<ReadScope, 'db' | 'organizationId'>,
  subscriberIds: readonly string[],
): Promise<Map<string, Delivery>> {
  // Ignores changes of the plan before the subscriber moved to it.
  const rows = await db.$queryRaw<NewestEvent[]>`
    select requested.id as "subscriberId", event.type = 'plan.grants.updated' as "isOfPlan",
           endpoint.disabled as "isPaused", endpoint.disabled_at as "pausedAt",
           event.event_id as id, event.state, event.attempts,
           event.occurred_at as "occurredAt", event.due_at as "dueAt", event.finished_at as "finishedAt"
      from webhook_endpoint endpoint
     cross join unnest(${subscriberIds}::text[]) as requested (id)
     cross join lateral (
       (select * from (
          select * from webhook_event
           where organization_id = ${organizationId} and subscriber_id = requested.id
           order by event_id desc limit ${maxEventsRead}) latest
         order by sequence desc limit 1)
       union all
       select changed.*
         from subscription
        cross join lateral (
          select * from webhook_event
           where organization_id = ${organizationId} and type = 'plan.grants.updated'
             and body::jsonb ->> 'key' = subscription.plan_key
           order by sequence desc limit 1) changed
        where subscription.organization_id = ${organizationId} and subscription.subscriber_id = requested.id
          and subscription.status = 'active' and changed.occurred_at >= subscription.created_at) event
     where endpoint.organization_id = ${organizationId}`
  const deliveries = new Map<string, Delivery>()
  for (const { subscriberId, isOfPlan, ...row } of rows) {
    const delivery = deliveries.get(subscriberId) ?? emptyDelivery
    const newest = toNewestDelivery(row)
    deliveries.set(subscriberId, isOfPlan ? { ...delivery, planChange: newest } : { ...delivery, ...newest })
  }
  return deliveries
}

function toNewestDelivery({
  id,
  state,
  attempts,
  occurredAt,
  dueAt,
  finishedAt,
  isPaused,
  pausedAt,
}: Omit<NewestEvent, 'subscriberId' | 'isOfPlan'>): NewestDelivery {
  const found = { ...noNewestDelivery, eventId: id, occurredAt }
  if (state === 'delivered') return { ...found, state, deliveredAt: finishedAt }
  if (state === 'failed') return { ...found, state }
  if (isPaused) return { ...found, state: 'paused', pausedAt }
  return { ...found, state: attempts === 0 ? 'queued' : 'retrying', nextAttemptAt: dueAt }
}
