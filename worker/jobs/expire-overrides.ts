import type pg from 'pg'
import { isOpenToWorkers } from '../../src/access/moving.ts'
import { newEvent } from '../../src/events/event.ts'
import { Pace } from '../../src/fairness/pace.ts'
import type { Metrics } from '../../src/metrics/metrics.ts'
import type { Clock } from '../clock.ts'
import { inTransaction } from '../transaction.ts'

/** Overrides handled in one transaction. Receivers wait for the events, but sending those takes longer than this. */
const batches = { batchMs: 30, minRows: 200, maxRows: 500 }
/** After this time the remaining overrides are left to the next call, which may know of more organizations. */
const callMs = 2000
/** The maximum number of overrides past their end that are read to find their organizations. */
const maxOverridesRead = 10_000

export type ExpireOptions = {
  pool: pg.Pool
  clock: Clock
  /** Called with the organizations whose events are committed. */
  wake(organizationIds: readonly string[]): void
  /** Called with the organizations whose followers have changes to read. */
  wakeFollowers(organizationIds: readonly string[]): void
  /** Counts how late each was marked. */
  metrics: Pick<Metrics, 'expiryLag'>
  /** Ends the call early. */
  signal: AbortSignal
}

type Due = {
  organization_id: string
  subscriber_id: string
  feature_key: string
  due_at: Date
  cause: 'override' | 'expiry'
  lag_seconds: number
}

/**
 * The two times that overrides wait for, with the cause of the event. Each row waits for one of them, and each has an index of
 * its own.
 */
const waits = [
  { cause: 'override', column: 'starts_at', condition: 'starts_at is not null' },
  { cause: 'expiry', column: 'expires_at', condition: 'expires_at is not null and not expiry_marked' },
] as const

/**
 * Marks overrides of these organizations whose `starts_at` or `expires_at` is reached, and queues their events: one event for
 * each, however many processes do this at once. The organizations share each batch, so that one with few does not wait for one
 * with very many. Returns the organizations where some remain: time ran out, or a write has locked them. That write either
 * notifies of them or leaves them to be checked again in a moment.
 */
export async function expireOverrides(options: ExpireOptions, organizationIds: readonly string[]): Promise<string[]> {
  const organizations = [...new Set(organizationIds)]
  const pace = new Pace({ ...batches, signal: options.signal })
  const endsAt = performance.now() + callMs
  const waiting = [...organizations]
  while (waiting.length > 0 && performance.now() < endsAt && !pace.isEnded) {
    await pace.batch(async (atMost) => {
      const asked = waiting.splice(0, atMost)
      const share = Math.floor(atMost / asked.length)
      const marked = await expireBatch(options, asked, share)
      const counts = Map.groupBy(marked, (organizationId) => organizationId)
      waiting.push(...asked.filter((organizationId) => counts.get(organizationId)?.length === share))
      return marked
    })
  }
  return findDueOrganizations(options, organizations)
}

/** Organizations with overrides past their start or end that are not marked yet. */
export async function findOrganizationsToExpire({
  pool,
  clock,
}: Pick<ExpireOptions, 'pool' | 'clock'>): Promise<string[]> {
  const { rows } = await pool.query(
    `select distinct organization_id from (${waits
      .map(
        ({ column, condition }) => `
       (select organization_id from override
         where ${condition} and ${column} <= ${clock.sql()}
         order by ${column} limit ${maxOverridesRead})`,
      )
      .join(' union all ')}) as due
      where ${isOpenToWorkers('due.organization_id')}`,
  )
  return rows.map(({ organization_id }) => organization_id)
}

async function findDueOrganizations(
  { pool, clock }: ExpireOptions,
  organizationIds: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query(
    `select organization_id from unnest($1::text[]) as asked (organization_id)
      where ${isOpenToWorkers('asked.organization_id')}
        and (${waits
          .map(
            ({ column, condition }) => `
             exists (select from override
                      where override.organization_id = asked.organization_id and ${condition} and ${column} <= ${clock.sql()})`,
          )
          .join(' or ')})`,
    [organizationIds],
  )
  return rows.map(({ organization_id }) => organization_id)
}

/** At most `share` overrides of each organization; returns the organization of each that was marked. */
async function expireBatch(
  { pool, clock, wake, wakeFollowers, metrics }: ExpireOptions,
  organizationIds: readonly string[],
  share: number,
): Promise<string[]> {
  const { marked, notified } = await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Due>(
      `select due.*, extract(epoch from ${clock.sql()} - due_at)::float8 as lag_seconds
         from unnest($1::text[]) as asked (organization_id)
        cross join lateral (${waits
          .map(
            ({ cause, column, condition }) => `
              select * from (
                select organization_id, subscriber_id, feature_key, ${column} as due_at, '${cause}' as cause from override
                 where override.organization_id = asked.organization_id and ${condition} and ${column} <= ${clock.sql()}
                 order by ${column} limit $2
                   for update skip locked) as ${cause}`,
          )
          .join(' union all ')}
              limit $2) due
        where ${isOpenToWorkers('asked.organization_id')}`,
      [organizationIds, share],
    )
    if (rows.length === 0) return { marked: [], notified: [] }
    return { marked: rows, notified: await markAndQueue(client, rows) }
  })
  for (const { lag_seconds } of marked) metrics.expiryLag.observe(Math.max(0, lag_seconds))
  const taken = marked.map((row) => row.organization_id)
  wake(notified)
  wakeFollowers([...new Set(taken)])
  return taken
}

/** Returns the organizations that have an endpoint, and were therefore notified. */
async function markAndQueue(client: pg.PoolClient, due: readonly Due[]): Promise<string[]> {
  // The event occurred when it was due: a receiver that fetched a snapshot after that has nothing to drop.
  const events = due.map((each) =>
    newEvent(each.organization_id, each.due_at, {
      type: 'entitlements.stale',
      subscriberId: each.subscriber_id,
      cause: each.cause,
      features: [each.feature_key],
    }),
  )
  const { rows } = await client.query(
    `with due as materialized (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::boolean[])
         with ordinality as due (organization_id, subscriber_id, feature_key, event_id, body, occurred_at, is_late, ordinal)),
     marked as (
       update override set expiry_marked = starts_at is null, expires_at = case when starts_at is null then expires_at else ends_at end,
              updated_at = coalesce(starts_at, updated_at), starts_at = null, ends_at = null
         from due
        where override.organization_id = due.organization_id and override.subscriber_id = due.subscriber_id
          and override.feature_key = due.feature_key),
     stored as (
       insert into change (organization_id, change_id, type, body)
       select organization_id, event_id, 'entitlements.stale', body from due),
     endpoint as materialized (
       select organization_id from webhook_endpoint
        where organization_id in (select organization_id from due) order by organization_id for key share),
     notified as (
       insert into webhook_event (organization_id, event_id, type, body, occurred_at, is_late, subscriber_id, due_at)
       select due.organization_id, event_id, 'entitlements.stale', body, occurred_at, is_late, subscriber_id, clock_timestamp()
         from due join endpoint using (organization_id)
        order by due.ordinal
       returning organization_id)
     select distinct organization_id from notified`,
    [
      due.map((each) => each.organization_id),
      due.map((each) => each.subscriber_id),
      due.map((each) => each.feature_key),
      events.map(({ id }) => id),
      events.map(({ body }) => body),
      events.map(({ occurredAt }) => occurredAt),
      events.map(({ isLate }) => isLate),
    ],
  )
  return rows.map(({ organization_id }) => organization_id)
}
