import type pg from 'pg'
import { isOpenToWorkers } from '../../src/access/organization-move.ts'
import { newEvent } from '../../src/events/event.ts'
import { Pace } from '../../src/fairness/pace.ts'
import type { Metrics } from '../../src/metrics/metrics.ts'
import type { Clock } from '../clock.ts'
import { inTransaction } from '../transaction.ts'

/** Limits on the overrides in a transaction: a batch delays its events by less time than sending them takes. */
const batches = { batchMs: 30, minRows: 200, maxRows: 500 }
/** After this time, the call returns, so that overrides that a write had locked are checked again soon. */
const maxCallMs = 500
/** The maximum number of due overrides that are read to find their organizations. */
const maxOverridesRead = 10_000

export type ExpireOptions = {
  pool: pg.Pool
  clock: Clock
  /** Called with the organizations whose events are committed. */
  wake(organizationIds: readonly string[]): void
  /** Called with the organizations whose followers have changes to read. */
  wakeFollowers(organizationIds: readonly string[]): void
  /** Measures how late each override was marked. */
  metrics: Pick<Metrics, 'expiryLag'>
  /** Ends the call early. */
  signal: AbortSignal
}

type DueOverride = {
  organization_id: string
  subscriber_id: string
  feature_key: string
  due_at: Date
  cause: 'override' | 'expiry'
  has_endpoint: boolean
  lag_seconds: number
}

/**
 * The two times that overrides wait for, with the cause of the event. A row waits for only one of them at a time, and each has
 * its own index.
 */
const dueColumns = [
  { cause: 'override', column: 'starts_at', condition: 'starts_at is not null' },
  { cause: 'expiry', column: 'expires_at', condition: 'expires_at is not null and not expiry_marked' },
] as const

/**
 * Marks overrides of the waiting organizations whose `starts_at` or `expires_at` is reached, and queues one event for each,
 * however many processes do this at once. The organizations share each batch, so that an organization with very many overrides
 * does not delay the others. Organizations that are added to `waiting` meanwhile get a share of the next batch. If time runs
 * out, unfinished organizations stay in `waiting`. Returns the finished organizations that still have due overrides, because a
 * write has locked them or the endpoint: either this write queues their events, or these overrides are checked again soon.
 */
export async function expireOverrides(options: ExpireOptions, waiting: Set<string>): Promise<string[]> {
  const checked = new Set<string>()
  const pace = new Pace({ ...batches, signal: options.signal })
  const endsAt = performance.now() + maxCallMs
  while (waiting.size > 0 && performance.now() < endsAt && !pace.isEnded) {
    await pace.batch(async (atMost) => {
      const batch = [...waiting].slice(0, atMost)
      for (const organizationId of batch) {
        waiting.delete(organizationId)
        checked.add(organizationId)
      }
      const share = Math.floor(atMost / batch.length)
      const marked = await expireBatch(options, batch, share)
      const markedOf = Map.groupBy(marked, (organizationId) => organizationId)
      for (const organizationId of batch) {
        if (markedOf.get(organizationId)?.length === share) waiting.add(organizationId)
      }
      return marked
    })
  }
  return findDueOrganizations(
    options,
    [...checked].filter((organizationId) => !waiting.has(organizationId)),
  )
}

/** Finds organizations with overrides past their start or end that are not marked yet. */
export async function findOrganizationsToExpire({
  pool,
  clock,
}: Pick<ExpireOptions, 'pool' | 'clock'>): Promise<string[]> {
  const { rows } = await pool.query(
    `select distinct organization_id from (${dueColumns
      .map(
        ({ column, condition }) => `
       (select organization_id from override
         where ${condition} and ${column} <= ${clock.sql()} and ${isOpenToWorkers('override.organization_id')}
         order by ${column} limit ${maxOverridesRead})`,
      )
      .join(' union all ')}) as due`,
  )
  return rows.map(({ organization_id }) => organization_id)
}

async function findDueOrganizations(
  { pool, clock }: ExpireOptions,
  organizationIds: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query(
    `select organization_id from unnest($1::text[]) as requested (organization_id)
      where ${isOpenToWorkers('requested.organization_id')}
        and (${dueColumns
          .map(
            ({ column, condition }) => `
             exists (select from override
                      where override.organization_id = requested.organization_id
                        and ${condition} and ${column} <= ${clock.sql()})`,
          )
          .join(' or ')})`,
    [organizationIds],
  )
  return rows.map(({ organization_id }) => organization_id)
}

/**
 * Marks at most `share` overrides of each organization. Leaves out organizations whose endpoint a write has locked, so that the
 * others do not wait for it. Returns the organization of each marked override.
 */
async function expireBatch(
  { pool, clock, wake, wakeFollowers, metrics }: ExpireOptions,
  organizationIds: readonly string[],
  share: number,
): Promise<string[]> {
  const marked = await inTransaction(pool, async (client) => {
    const { rows } = await client.query<DueOverride>(
      `with endpoint as materialized (
         select organization_id from webhook_endpoint
          where organization_id = any($1) order by organization_id for key share skip locked),
       requested as materialized (
         select organization_id, endpoint.organization_id is not null as has_endpoint
           from unnest($1::text[]) as requested (organization_id)
           left join endpoint using (organization_id)
          where ${isOpenToWorkers('requested.organization_id')}
            and (endpoint.organization_id is not null
                 or not exists (select from webhook_endpoint existing
                                 where existing.organization_id = requested.organization_id)))
       select due.*, has_endpoint, extract(epoch from ${clock.sql()} - due_at)::float8 as lag_seconds
         from requested
        cross join lateral (${dueColumns
          .map(
            ({ cause, column, condition }) => `
              select * from (
                select organization_id, subscriber_id, feature_key, ${column} as due_at, '${cause}' as cause from override
                 where override.organization_id = requested.organization_id and ${condition} and ${column} <= ${clock.sql()}
                 order by ${column} limit $2
                   for update skip locked) as ${cause}`,
          )
          .join(' union all ')}
              limit $2) due`,
      [organizationIds, share],
    )
    if (rows.length > 0) await markAndQueue(client, rows)
    return rows
  })
  for (const { lag_seconds } of marked) metrics.expiryLag.observe(Math.max(0, lag_seconds))
  const markedIds = marked.map((row) => row.organization_id)
  wake([...new Set(marked.filter((row) => row.has_endpoint).map((row) => row.organization_id))])
  wakeFollowers([...new Set(markedIds)])
  return markedIds
}

/** Marks the overrides and adds their events. Queues them for receivers if the organization has an endpoint, which is locked. */
async function markAndQueue(client: pg.PoolClient, due: readonly DueOverride[]): Promise<void> {
  // `occurred_at` is the due time: a receiver need not drop a snapshot that it fetched after that time.
  const events = due.map((each) =>
    newEvent(each.organization_id, each.due_at, {
      type: 'entitlements.stale',
      subscriberId: each.subscriber_id,
      cause: each.cause,
      features: [each.feature_key],
    }),
  )
  await client.query(
    `with due as materialized (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::boolean[],
                            $8::boolean[])
         with ordinality as due (organization_id, subscriber_id, feature_key, event_id, body, occurred_at, is_late,
                                 has_endpoint, ordinal)),
     marked as (
       update override set expiry_marked = starts_at is null, expires_at = case when starts_at is null then expires_at else ends_at end,
              updated_at = coalesce(starts_at, updated_at), starts_at = null, ends_at = null
         from due
        where override.organization_id = due.organization_id and override.subscriber_id = due.subscriber_id
          and override.feature_key = due.feature_key),
     stored as (
       insert into change (organization_id, change_id, type, body)
       select organization_id, event_id, 'entitlements.stale', body from due)
     insert into webhook_event (organization_id, event_id, type, body, occurred_at, is_late, subscriber_id, due_at)
     select organization_id, event_id, 'entitlements.stale', body, occurred_at, is_late, subscriber_id, clock_timestamp()
       from due
      where has_endpoint
      order by ordinal`,
    [
      due.map((each) => each.organization_id),
      due.map((each) => each.subscriber_id),
      due.map((each) => each.feature_key),
      events.map(({ id }) => id),
      events.map(({ body }) => body),
      events.map(({ occurredAt }) => occurredAt),
      events.map(({ isLate }) => isLate),
      due.map((each) => each.has_endpoint),
    ],
  )
}
