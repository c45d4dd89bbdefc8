import type pg from 'pg'
import { isOpenToWorkers } from '../src/access/organization-move.ts'
import { asynchronousCommit } from '../src/database/sql.ts'
import type { Clock } from './clock.ts'
import { mergeByDueTime } from './due-order.ts'

/** How long a lease on a delivery queue lasts after it is taken or renewed. */
export const queueLeaseMs = 6000
const leaseEnd = `clock_timestamp() + interval '${queueLeaseMs} milliseconds'`
/** A lease that ends later than this is void: the database's clock has stepped back since it was written. */
const maxQueueLeaseMs = queueLeaseMs + 1000

/** An event to send, with the endpoint's address and secret from the same read. */
export type EventToSend = {
  organizationId: string
  eventId: string
  body: string
  /** The number of attempts so far. */
  attempts: number
  once: boolean
  /** The database's time when it was queued, measured just before COMMIT; null if an older release queued it. */
  queuedAt: Date | null
  url: string
  /** Encrypted, as stored; the same object for all events of a batch. */
  sealedSecret: Buffer
}

/**
 * A due event. The events of one subscriber are sent one at a time. Events without a subscriber have an empty `subscriber`, and
 * are also sent one at a time.
 */
export type LeasedEvent = EventToSend & { subscriber: string }

/** The batch to lease: among the first `scan` due events, the first `rows` events whose subscribers are not in `skipped`. */
export type BatchRequest = { organizationId: string; rows: number; scan: number; skipped: readonly string[] }

/** The events that this worker may send, and the id of the queue's last wake. */
export type LeasedBatch = { organizationId: string; woken: string; events: LeasedEvent[] }

/**
 * The leases on delivery queues, one for each organization. Leases use the database's real clock, also in tests.
 *
 * Renewing and releasing do not wait for the disk: if a crash of PostgreSQL undoes a renewal, the lease ends a little earlier,
 * and if it undoes a release, the lease expires. Taking a lease waits for the disk: if a crash undid it, a rotation could be
 * answered while earlier batches are still being sent.
 *
 * Rows of several queues are locked in the order of their organizations.
 */
export class DeliveryQueueStore {
  readonly #pool: pg.Pool
  readonly #owner: string
  readonly #clock: Clock

  constructor({ pool, owner, clock }: { pool: pg.Pool; owner: string; clock: Clock }) {
    this.#pool = pool
    this.#owner = owner
    this.#clock = clock
  }

  /**
   * Leases the free queues, with batch leases of `batchLeaseMs`, and wakes the owners of the others if `wakesOwner`. Returns
   * the organizations whose queues this worker now leases. Leaves out organizations without an endpoint, because they may have
   * been deleted. A void lease is not taken over but shortened to the normal length:
   * its owner may still be sending, and if it is dead, the lease ends soon.
   */
  async leaseQueues(
    requests: readonly { organizationId: string; wakesOwner: boolean }[],
    batchLeaseMs: number,
  ): Promise<string[]> {
    const free = 'lane.lease_until is null or lane.lease_until <= clock_timestamp() or lane.owner = $2'
    const { rows } = await this.#pool.query({
      name: 'take-delivery-queues',
      text: `insert into webhook_lane as lane (organization_id, owner, lease_until, claim_ms)
       select organization_id, $2, ${leaseEnd}, $4
         from unnest($1::text[], $3::boolean[]) as wanted (organization_id, wakes_holder)
        where (select true from webhook_endpoint endpoint where endpoint.organization_id = wanted.organization_id limit 1)
          and (wakes_holder
               or not exists (select from webhook_lane held
                               where held.organization_id = wanted.organization_id and held.owner <> $2
                                 and held.lease_until > clock_timestamp()))
        order by organization_id
       on conflict (organization_id) do update
          set owner = case when ${free} then $2 else lane.owner end,
              lease_until = case when ${free} then excluded.lease_until
                                 else least(lane.lease_until, excluded.lease_until) end,
              claim_ms = case when ${free} then greatest(excluded.claim_ms, case when lane.lease_until is null then 0
                                                                              else lane.claim_ms end)
                              else lane.claim_ms end,
              woken = case when ${free} then lane.woken else gen_random_uuid() end
       returning organization_id, owner = $2 as is_mine`,
      values: [
        requests.map(({ organizationId }) => organizationId),
        this.#owner,
        requests.map(({ wakesOwner }) => wakesOwner),
        batchLeaseMs,
      ],
    })
    return rows.filter(({ is_mine }) => is_mine).map(({ organization_id }) => organization_id)
  }

  /**
   * Renews the leases. Returns the organizations whose queues this worker still leases, each with the id of its last wake. From
   * then on, batch leases last `batchLeaseMs`, or longer if they did before the renewal: earlier batches may still be in use.
   */
  async renew(organizationIds: readonly string[], batchLeaseMs: number): Promise<Map<string, string>> {
    const { rows } = await this.#pool.query({
      name: 'renew-delivery-queues',
      text: `with held as materialized (
         select organization_id from webhook_lane
          where organization_id = any($1) and owner = $2 and lease_until > clock_timestamp()
          order by organization_id for update)
       update webhook_lane lane set lease_until = ${leaseEnd}, claim_ms = greatest(lane.claim_ms, $3)
         from held, ${asynchronousCommit} where lane.organization_id = held.organization_id
       returning lane.organization_id, lane.woken`,
      values: [organizationIds, this.#owner, batchLeaseMs],
    })
    return new Map(rows.map(({ organization_id, woken }) => [organization_id, woken]))
  }

  /** Releases the queues that have not been woken since they were last read, and returns their organizations. */
  async release(queues: readonly { organizationId: string; woken: string }[]): Promise<string[]> {
    const { rows } = await this.#pool.query({
      name: 'release-delivery-queues',
      text: `with held as materialized (
         select lane.organization_id
           from unnest($1::text[], $2::uuid[]) as seen (organization_id, woken)
           join webhook_lane lane using (organization_id)
          where lane.owner = $3 and lane.woken = seen.woken
          order by lane.organization_id for update of lane)
       update webhook_lane lane set lease_until = null
         from held, ${asynchronousCommit} where lane.organization_id = held.organization_id
       returning lane.organization_id`,
      values: [queues.map(({ organizationId }) => organizationId), queues.map(({ woken }) => woken), this.#owner],
    })
    return rows.map(({ organization_id }) => organization_id)
  }

  /** Releases all queues that this worker leases. Called when the worker stops. */
  async releaseAll(timeoutMs: number): Promise<void> {
    const text = `with held as materialized (
         select organization_id from webhook_lane where owner = $1 and lease_until is not null
          order by organization_id for update)
       update webhook_lane lane set lease_until = null from held where lane.organization_id = held.organization_id`
    await this.#pool.query({ text, values: [this.#owner], query_timeout: timeoutMs } as pg.QueryConfig)
  }

  /**
   * Reads the first due events of each queue, in the order of sending. Writes nothing, because the queue's lease keeps other
   * workers away. A queue that this worker no longer leases is missing from the result.
   */
  async leaseBatches(requests: readonly BatchRequest[]): Promise<Map<string, LeasedBatch>> {
    // `limit 1` makes the plan look up single rows, whatever size the tables had when the statement was prepared.
    const { rows } = await this.#pool.query<LeasedRow>({
      name: 'lease-batches',
      text: `select lane.organization_id as "organizationId", lane.woken, endpoint.url, endpoint.secret as "sealedSecret",
              event.event_id as "eventId", event.body, event.attempts, event.once, event.due_at,
              event.queued_at as "queuedAt", event.subscriber
         from unnest($1::text[], $2::int[], $4::int[], $5::jsonb[])
           as wanted (organization_id, row_count, scan_count, skipped)
        cross join lateral (
              select * from webhook_lane where organization_id = wanted.organization_id limit 1) lane
         left join lateral (
              select organization_id, url, secret from webhook_endpoint
               where organization_id = wanted.organization_id and not disabled
                 and ${isOpenToWorkers('wanted.organization_id')} limit 1) endpoint on true
         left join lateral (
              (select * from (
                select event_id, body, attempts, once, due_at, queued_at, coalesce(subscriber_id, '') as subscriber, sequence
                  from webhook_event
                 where endpoint.organization_id is not null and organization_id = wanted.organization_id
                   and state = 'queued' and attempts = 0 and type <> 'webhook.test'
                 order by sequence limit wanted.scan_count) first
                where not skipped ? subscriber order by sequence limit wanted.row_count)
              union all
              (select * from (
                select event_id, body, attempts, once, due_at, queued_at, coalesce(subscriber_id, '') as subscriber,
                       null::bigint as sequence
                  from webhook_event
                 where endpoint.organization_id is not null and organization_id = wanted.organization_id
                   and state = 'queued' and attempts > 0 and type <> 'webhook.test'
                   and due_at <= ${this.#clock.sql()}
                 order by due_at, event_id limit wanted.scan_count) later
                where not skipped ? subscriber order by due_at, event_id limit wanted.row_count)) event on true
        where lane.owner = $3 and lane.lease_until > clock_timestamp()
        order by lane.organization_id, event.sequence, event.due_at, event.event_id`,
      values: [
        requests.map(({ organizationId }) => organizationId),
        requests.map((each) => each.rows),
        this.#owner,
        requests.map(({ scan }) => scan),
        requests.map(({ skipped }) => JSON.stringify(skipped)),
      ],
    })
    const rowsOf = Map.groupBy(rows, ({ organizationId }) => organizationId)
    return new Map(
      requests.flatMap(({ organizationId, rows: maxRows }) => {
        const ofQueue = rowsOf.get(organizationId)
        return ofQueue ? [[organizationId, toLeasedBatch(organizationId, ofQueue, maxRows)]] : []
      }),
    )
  }

  /** Finds organizations with due events, an active endpoint, and a queue that is free or has only a void lease. */
  async findWaitingOrganizations(limit: number): Promise<string[]> {
    // Steps from one organization to the next in the index of queued events, however many events each has.
    const { rows } = await this.#pool.query(
      `with recursive organization (id) as (
         (select organization_id from webhook_event where state = 'queued' order by organization_id limit 1)
         union all
         select (select organization_id from webhook_event
                  where state = 'queued' and organization_id > organization.id
                  order by organization_id limit 1)
           from organization where organization.id is not null)
       select organization.id
         from organization
         join webhook_endpoint endpoint on endpoint.organization_id = organization.id and not endpoint.disabled
        where (exists (select from webhook_event
                        where organization_id = organization.id and state = 'queued' and attempts = 0
                          and type <> 'webhook.test')
               or exists (select from webhook_event
                           where organization_id = organization.id and state = 'queued' and attempts > 0
                             and type <> 'webhook.test' and due_at <= ${this.#clock.sql()}))
          and not exists (select from webhook_lane
                           where organization_id = organization.id and lease_until > clock_timestamp()
                             and lease_until <= clock_timestamp() + interval '${maxQueueLeaseMs} milliseconds')
        limit $1`,
      [limit],
    )
    return rows.map(({ id }) => id)
  }
}

/** A row without an event means only that this worker still leases the queue. */
type LeasedRow = Omit<LeasedEvent, 'eventId'> & { eventId: string | null; woken: string; due_at: Date }

function toLeasedBatch(organizationId: string, rows: readonly LeasedRow[], maxEvents: number): LeasedBatch {
  const read = rows.filter(({ eventId }) => eventId !== null) as (LeasedRow & LeasedEvent)[]
  const due = mergeByDueTime(
    read.filter(({ attempts }) => attempts === 0),
    read.filter(({ attempts }) => attempts > 0),
  )
  const [{ woken, sealedSecret }] = rows as [LeasedRow]
  const events = due.slice(0, maxEvents).map(({ woken: _, due_at: __, ...event }) => ({ ...event, sealedSecret }))
  return { organizationId, woken, events }
}
