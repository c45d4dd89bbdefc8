import type { Database } from '../database/client.ts'
import { newEvent } from '../events/event.ts'
import { queueEvents } from '../events/outbox.ts'

/*
 * Writes parts of the demo that no operation writes, as other processes would have written them over months: ended overrides,
 * numbers of evals and last-seen times. `feature-usage.ts` writes the features of evals, and `deliveries.ts` the deliveries.
 */

type Vendor = { database: Database; organizationId: string }

/** Ends the overrides that are due at `now`, the time of the demo's clock, as the worker would. */
export async function expireDue({ database, organizationId }: Vendor, now: Date): Promise<void> {
  await database.prisma.$transaction(async (tx) => {
    const where = { organizationId, expiryMarked: false, expiresAt: { lte: now } }
    const due = await tx.override.findMany({ where, orderBy: { expiresAt: 'asc' } })
    if (due.length === 0) return
    const events = due.map(({ subscriberId, featureKey, expiresAt }) =>
      newEvent(organizationId, expiresAt as Date, {
        type: 'entitlements.stale',
        subscriberId,
        cause: 'expiry',
        features: [featureKey],
      }),
    )
    await queueEvents(tx, organizationId, events)
    await tx.override.updateMany({ where, data: { expiryMarked: true } })
  })
}

/** Pauses deliveries until a person resumes them, because the demo's events are from the past. */
export async function pauseDeliveries({ database, organizationId }: Vendor): Promise<void> {
  const disabledAt = new Date(Date.now())
  await database.prisma.webhookEndpoint.updateMany({ where: { organizationId }, data: { disabled: true, disabledAt } })
}

/** SQL: the current time in UTC, because evals are counted by days in UTC. */
const utcNow = `(now() at time zone 'UTC')`

/** The evals that the vendor may use in a month: more than the busiest month has. The overview shows how many are used. */
const allotment = 1_500_000

/** Thirty thousand evals on a working day, fewer at weekends, growing until today. */
export async function writeUsage({ database: { pool }, organizationId }: Vendor, days: number): Promise<void> {
  const used = `(case when extract(isodow from date) > 5 then 15000 else 32000 end
                 + 90 * (${days} - (${utcNow}::date - date)) + extract(day from date)::int * 137 % 1900)::bigint`
  await pool.query(
    `insert into eval_usage_day (organization_id, date, used)
     select $1, date, ${used}
       from generate_series(1, $2::int) ago cross join lateral (select ${utcNow}::date - ago as date) day`,
    [organizationId, days],
  )
  const usedToday = `(${used} * extract(epoch from ${utcNow}::time) / 86400)::bigint`
  await pool.query(
    `update eval_counter c set day = ${utcNow}::date, day_used = today.used, allotment = ${allotment},
            month_used = today.used + coalesce((select sum(d.used) from eval_usage_day d
              where d.organization_id = $1 and d.date >= date_trunc('month', ${utcNow}::date)), 0)
       from (select ${usedToday} as used from (select ${utcNow}::date as date) day) today
      where c.organization_id = $1`,
    [organizationId],
  )
}

/** Records when members and keys were last seen. */
export async function writeLastSeen({ database: { pool }, organizationId }: Vendor): Promise<void> {
  // Shows everybody as seen in the last two days: reads count as activity, but the log does not record them.
  await pool.query(
    `insert into member_last_seen (organization_id, member_id, seen_at)
     select organization_id, member_id,
            date_trunc('minute', now() - interval '4 minutes' - (row_number() over (order by member_id desc) - 1) * interval '7 hours')
       from member where organization_id = $1
         on conflict (organization_id, member_id) do update set seen_at = excluded.seen_at`,
    [organizationId],
  )
  await pool.query(
    `update api_key set last_used_at = date_trunc('minute', now() - interval '4 minutes')
      where organization_id = $1 and name = 'Production'`,
    [organizationId],
  )
}
