import type pg from 'pg'
import type { Clock } from '../clock.ts'

/** Tolerance for the rounding of times. */
const marginSeconds = 1

type ShortenWaitsOptions = { pool: pg.Pool; clock: Clock; waitsSeconds: readonly number[] }

/**
 * Shortens waits that are longer than the configured waits because the database's clock stepped back after they were written.
 * Such an event becomes due one configured wait from now. Returns how many were shortened.
 */
export async function shortenWaits({ pool, clock, waitsSeconds }: ShortenWaitsOptions): Promise<number> {
  const { rowCount } = await pool.query(
    `with clock as materialized (select ${clock.sql()} as now),
     wait as (
       select event.organization_id, event.event_id, clock.now + listed.seconds * interval '1 second' as due_at
         from webhook_event event, clock,
              lateral (select case when event.once then 0 else coalesce(($1::float8[])[event.attempts], $2) end as seconds) listed
        where event.state = 'queued' and event.attempts > 0 and event.type <> 'webhook.test'
          and event.due_at > clock.now + (listed.seconds + ${marginSeconds}) * interval '1 second'
        order by event.organization_id, event.event_id
          for no key update of event skip locked)
     update webhook_event event set due_at = wait.due_at from wait
      where event.organization_id = wait.organization_id and event.event_id = wait.event_id`,
    [waitsSeconds, Math.max(0, ...waitsSeconds)],
  )
  return rowCount ?? 0
}
