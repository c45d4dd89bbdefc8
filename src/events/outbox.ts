import type { Transaction } from '../database/transaction.ts'
import type { NewEvent } from './event.ts'

/**
 * Queues events in the transaction of the write that they tell of, if there is an endpoint; gives how many were queued.
 * The endpoint's row is held, so that no event slips past a deletion of the endpoint that commits meanwhile.
 */
export async function queueEvents(
  tx: Transaction,
  organizationId: string,
  events: readonly NewEvent[],
): Promise<number> {
  if (events.length === 0) return 0
  return tx.$executeRaw`
    insert into webhook_event (organization_id, event_id, type, body, occurred_at, once, due_at)
    select endpoint.organization_id, event.id, event.type, event.body, event.occurred_at, event.once, clock_timestamp()
      from webhook_endpoint endpoint
     cross join unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ type }) => type)}::text[],
                       ${events.map(({ body }) => body)}::text[], ${events.map(({ occurredAt }) => occurredAt)}::timestamptz[],
                       ${events.map(({ once }) => once)}::boolean[])
           with ordinality as event (id, type, body, occurred_at, once, place)
     where endpoint.organization_id = ${organizationId}
     order by event.place
       for key share of endpoint`
}
