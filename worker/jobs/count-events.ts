import type pg from 'pg'
import type { Clock } from '../clock.ts'

/** The numbers of an organization's events that are unfinished or have failed. */
export type EventFigures = {
  organizationId: string
  queued: number
  retrying: number
  paused: number
  failed: number
  /** For how long the oldest due event has been due; 0 if no event is due. */
  oldestDueSeconds: number
}

export type WebhookFigures = { ofOrganizations: EventFigures[]; endpointsPaused: number }

/** The maximum number of events that are counted in each state. */
const maxCounted = 1_000_000

/** Counts queued and failed events with their indexes. Delivered events, the majority, have no index and are not counted. */
export async function countEvents({ pool, clock }: { pool: pg.Pool; clock: Clock }): Promise<WebhookFigures> {
  const { rows } = await pool.query<EventFigures & { endpointsPaused: number }>(
    `with queued as materialized (
       select organization_id, count(*) filter (where attempts = 0) as fresh, count(*) filter (where attempts > 0) as tried
         from (select organization_id, attempts from webhook_event where state = 'queued' and type <> 'webhook.test'
                order by organization_id, attempts, sequence limit ${maxCounted}) event
        group by organization_id),
     failed as materialized (
       select organization_id, count(*) as failed
         from (select organization_id from webhook_event where state = 'failed'
                order by organization_id, event_id limit ${maxCounted}) event
        group by organization_id)
     select organization_id as "organizationId",
            case when disabled then 0 else coalesce(fresh, 0) end::float8 as queued,
            case when disabled then 0 else coalesce(tried, 0) end::float8 as retrying,
            case when disabled then coalesce(fresh, 0) + coalesce(tried, 0) else 0 end::float8 as paused,
            coalesce(failed, 0)::float8 as failed,
            case when disabled then 0
                 else greatest(0, extract(epoch from ${clock.sql()} - least(first_due, next_due))) end::float8 as "oldestDueSeconds",
            (select count(*) from webhook_endpoint where disabled)::float8 as "endpointsPaused"
       from queued
       full join failed using (organization_id)
       left join webhook_endpoint endpoint using (organization_id)
       left join lateral (select due_at as first_due from webhook_event event
                           where event.organization_id = queued.organization_id and state = 'queued' and attempts = 0
                             and type <> 'webhook.test'
                           order by sequence limit 1) first on true
       left join lateral (select due_at as next_due from webhook_event event
                           where event.organization_id = queued.organization_id and state = 'queued' and attempts > 0
                             and type <> 'webhook.test'
                             and due_at <= ${clock.sql()}
                           order by due_at, event_id limit 1) next on true
      union all
     select '', 0, 0, 0, 0, 0, (select count(*) from webhook_endpoint where disabled)`,
  )
  const endpointsPaused = rows[0]?.endpointsPaused ?? 0
  return { ofOrganizations: rows.filter(({ organizationId }) => organizationId !== ''), endpointsPaused }
}
