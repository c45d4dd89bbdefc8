import type { Database } from '../database/client.ts'
import { exhaustedEventsToPause } from '../modules/webhook/webhook.ts'

type Vendor = { database: Database; organizationId: string }
type Receiver = { failsFrom: Date; now: Date; waitsSeconds: readonly number[] }

/**
 * Writes three months of attempts, as the worker would have made them: most succeed at once until the receiver begins to fail;
 * then events are retried and fail, and deliveries are paused.
 */
export async function writeDeliveries(vendor: Vendor, receiver: Receiver): Promise<void> {
  await recordDeliveriesUntil(vendor, receiver.failsFrom)
  await recordFailuresFrom(vendor, receiver)
}

/** Records all events from before the failures as delivered; every 37th event needed a second attempt. */
async function recordDeliveriesUntil({ database: { pool }, organizationId }: Vendor, failsFrom: Date): Promise<void> {
  await pool.query(
    `with delivered as (
       update webhook_event
          set state = 'delivered', attempts = case when sequence % 37 = 0 then 2 else 1 end, due_at = null,
              finished_at = occurred_at + case when sequence % 37 = 0 then interval '30.9 s' else interval '0.4 s' end
        where organization_id = $1 and state = 'queued' and occurred_at < $2
        returning organization_id, event_id, occurred_at, attempts, sequence)
     insert into webhook_attempt (organization_id, event_id, number, started_at, duration_ms, status, error, answer)
     select organization_id, event_id, number,
            occurred_at + interval '0.2 s' + (number - 1) * interval '30.4 s', 90 + (sequence % 170)::int,
            case when number < attempts then 503 else 200 end,
            case when number < attempts then 'the receiver answered 503, which is not a 2xx' end,
            case when number < attempts then 'upstream timed out' else 'ok' end
       from delivered cross join lateral generate_series(1, attempts) number`,
    [organizationId, failsFrom],
  )
}

type QueuedEvent = { id: string; occurredAt: Date }
type Attempt = { id: string; number: number; startedAt: Date }

async function recordFailuresFrom(
  { database, organizationId }: Vendor,
  { now, waitsSeconds }: Receiver,
): Promise<void> {
  const { pool, prisma } = database
  const where = { organizationId, state: 'queued' as const }
  const queued = await prisma.webhookEvent.findMany({ where, orderBy: { sequence: 'asc' } })
  const exhausted = queued.map((event) => attemptsOf(event, waitsSeconds).at(-1)?.startedAt ?? now).toSorted(byTime)
  const pausedAt = exhausted[exhaustedEventsToPause - 1] ?? now
  const endedAt = pausedAt < now ? pausedAt : now
  const made = queued.flatMap((event) =>
    attemptsOf(event, waitsSeconds).filter(({ startedAt }) => startedAt <= endedAt),
  )
  await pool.query(
    `insert into webhook_attempt (organization_id, event_id, number, started_at, duration_ms, status, error)
     select $1, id, number, started_at, 3 + number, null, 'the receiver refused the connection'
       from unnest($2::text[], $3::int[], $4::timestamptz[]) made (id, number, started_at)`,
    [
      organizationId,
      made.map(({ id }) => id),
      made.map(({ number }) => number),
      made.map(({ startedAt }) => startedAt),
    ],
  )
  // Events that used all their attempts have failed; the other events wait for their next attempt.
  await pool.query(
    `update webhook_event e
        set attempts = made.attempts, state = (case when made.attempts > $2 then 'failed' else 'queued' end)::webhook_event_state,
            finished_at = case when made.attempts > $2 then made.last_at end,
            due_at = case when made.attempts <= $2 then made.last_at + interval '30 s' end
       from (select event_id, count(*)::int as attempts, max(started_at) as last_at
               from webhook_attempt where organization_id = $1 group by event_id) made
      where e.organization_id = $1 and e.event_id = made.event_id and e.state = 'queued'`,
    [organizationId, waitsSeconds.length],
  )
  const failed = await prisma.webhookEvent.count({ where: { organizationId, state: 'failed' } })
  await prisma.webhookEndpoint.updateMany({
    where: { organizationId },
    data: {
      disabled: true,
      disabledAt: endedAt,
      exhaustedInARow: Math.min(failed, exhaustedEventsToPause),
      updatedAt: endedAt,
    },
  })
}

/** The event's attempts while the receiver fails. */
function attemptsOf({ id, occurredAt }: QueuedEvent, waitsSeconds: readonly number[]): Attempt[] {
  let startedMs = occurredAt.getTime() + 200
  return [0, ...waitsSeconds].map((wait, index) => {
    startedMs += wait * 1000
    return { id, number: index + 1, startedAt: new Date(startedMs) }
  })
}

function byTime(a: Date, b: Date): number {
  return a.getTime() - b.getTime()
}
