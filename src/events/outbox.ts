import { Prisma } from '../database/generated/client.ts'
import { rowsOf } from '../database/rows.ts'
import type { Transaction } from '../database/transaction.ts'
import type { NewEvent } from './event.ts'
import { audience } from './event-body.ts'

/**
 * Queues the events for receivers in the transaction of the write that caused them, if there is an endpoint. Locks the
 * endpoint's row, so that no event remains after a concurrent deletion of the endpoint. Null if no event is for receivers.
 */
export function eventsStatement(organizationId: string, allEvents: readonly NewEvent[]): Prisma.Sql | null {
  const events = allEvents.filter(({ type }) => audience.receivers(type))
  const [event] = events
  if (!event) return null
  return events.length === 1 ? insertOneEvent(organizationId, event) : insertEvents(organizationId, events)
}

/** Stores the events for followers of changes, whether or not there is an endpoint. Null if no event is for followers. */
export function changesStatement(organizationId: string, allEvents: readonly NewEvent[]): Prisma.Sql | null {
  const changes = allEvents.filter(({ type }) => audience.followers(type))
  const [change] = changes
  if (!change) return null
  if (changes.length === 1) {
    return Prisma.sql`
      insert into change (organization_id, change_id, type, body)
      values (${organizationId}, ${change.id}, ${change.type}, ${change.body})`
  }
  const rows = rowsOf('change', {
    id: ['text', changes.map(({ id }) => id)],
    body: ['text', changes.map(({ body }) => body)],
    type: ['text', changes.map(({ type }) => type)],
  })
  return Prisma.sql`
    insert into change (organization_id, change_id, type, body)
    select ${organizationId}, id, type, body from ${rows}`
}

/** Inserts a single event, as most writes do: it is faster than `insertEvents`, because it needs no lists and no sort. */
function insertOneEvent(organizationId: string, event: NewEvent): Prisma.Sql {
  const { id, type, body, occurredAt, isLate, once, subscriberId } = event
  return Prisma.sql`
    insert into webhook_event (organization_id, event_id, type, body, occurred_at, is_late, once, subscriber_id, due_at)
    select endpoint.organization_id, ${id}, ${type}, ${body}, ${occurredAt}::timestamptz, ${isLate}::boolean, ${once}::boolean,
           ${subscriberId}, clock_timestamp()
      from webhook_endpoint endpoint
     where endpoint.organization_id = ${organizationId}
       for key share of endpoint`
}

function insertEvents(organizationId: string, events: readonly NewEvent[]): Prisma.Sql {
  const rows = rowsOf('event', {
    id: ['text', events.map(({ id }) => id)],
    body: ['text', events.map(({ body }) => body)],
    type: ['text', events.map(({ type }) => type)],
    occurred_at: ['timestamptz', events.map(({ occurredAt }) => occurredAt)],
    is_late: ['boolean', events.map(({ isLate }) => isLate)],
    once: ['boolean', events.map(({ once }) => once)],
    subscriber_id: ['text', events.map(({ subscriberId }) => subscriberId)],
  })
  return Prisma.sql`
    insert into webhook_event (organization_id, event_id, type, body, occurred_at, is_late, once, subscriber_id, due_at)
    select endpoint.organization_id, id, type, body, occurred_at, is_late, once, subscriber_id, clock_timestamp()
      from webhook_endpoint endpoint
     cross join ${rows}
     where endpoint.organization_id = ${organizationId}
     order by ordinal
       for key share of endpoint`
}

/** Queues the events for receivers; returns how many were queued. */
export async function queueEvents(
  tx: Transaction,
  organizationId: string,
  events: readonly NewEvent[],
): Promise<number> {
  const statement = eventsStatement(organizationId, events)
  return statement ? tx.$executeRaw(statement) : 0
}
