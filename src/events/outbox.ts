import { Prisma } from '../database/generated/client.ts'
import type { Transaction } from '../database/transaction.ts'
import type { NewEvent } from './event.ts'

/**
 * Queues events in the transaction of the write that caused them, if there is an endpoint. Locks the endpoint's row, so
 * that no event remains after a concurrent deletion of the endpoint.
 */
export function eventsStatement(organizationId: string, events: readonly NewEvent[]): Prisma.Sql {
  return Prisma.sql`
    insert into webhook_event (organization_id, event_id, type, body, occurred_at, once, subscriber_id, due_at)
    select endpoint.organization_id, event.id, event.type, event.body, event.occurred_at, event.once,
           event.subscriber_id, clock_timestamp()
      from webhook_endpoint endpoint
     cross join unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ type }) => type)}::text[],
                       ${events.map(({ body }) => body)}::text[], ${events.map(({ occurredAt }) => occurredAt)}::timestamptz[],
                       ${events.map(({ once }) => once)}::boolean[], ${events.map(({ subscriberId }) => subscriberId)}::text[])
           with ordinality as event (id, type, body, occurred_at, once, subscriber_id, place)
     where endpoint.organization_id = ${organizationId}
     order by event.place
       for key share of endpoint`
}

/** The same at once; returns how many were queued. */
export function queueEvents(tx: Transaction, organizationId: string, events: readonly NewEvent[]): Promise<number> {
  return tx.$executeRaw(eventsStatement(organizationId, events))
}
