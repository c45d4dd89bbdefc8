import { failUnless } from '../../database/fail-unless.ts'

/* Parts of the statements that count evals: gate-text.ts and bulk-text.ts. */

/** Overrides beyond these limits are read outside the statement: longer values, or more overrides of a subscriber. */
const maxValueBytes = 1024
export const maxSnapshotOverrides = 16

/** The database's time, read after all rows of `locked` are locked. */
export const momentAfterLocks = `
  select m.now, date_trunc('second', m.now) as second, (m.now at time zone 'UTC')::date as today
  from (select clock_timestamp() as now from (select count(*) as rows from locked) l where l.rows >= 0 offset 0) m`

/** The second and the day in which evals of the counter row `l` count: the stored second if the clock is a little behind it. */
export const countedAt = `
    select m.now, w.at, case when w.at = m.second then m.today else (w.at at time zone 'UTC')::date end as today
    from moment m
    cross join lateral (select case
      when m.second < l.second and l.second - m.second <= interval '5 seconds' then l.second else m.second end as at offset 0) w
    offset 0`

/** The evals in the month of `t.today`: from the counter row `l`, or from the table of days if the row has another month. */
export const evalsOfMonth = `case
      when t.today = l.day or date_trunc('month', t.today::timestamp) = date_trunc('month', l.day::timestamp) then l.month_used
      else (select coalesce(sum(u.used), 0)::bigint from eval_usage_day u
        where u.organization_id = l.organization_id
          and u.date >= date_trunc('month', t.today::timestamp)::date
          and u.date < (date_trunc('month', t.today::timestamp) + interval '1 month')::date)
    end`

/** The allotment of the counter row `l`; null is unlimited. */
export function allotmentWithDefault(fallback: string): string {
  return `case when l.allotment = -1 then null when l.allotment is null then ${fallback}::bigint else l.allotment end`
}

/** SQL: the evals that are left of `b.allotment`, for a statement that only reads. */
export const allotmentLeft = `case when b.allotment is null then ${Number.MAX_SAFE_INTEGER} else greatest(b.allotment - b.month_before, 0) end`

/** Moves the evals of a day that has ended to the table of days. */
export const storeEndedDay = `
  insert into eval_usage_day as u (organization_id, date, used)
  select t.organization_id, t.day, t.day_used from tally t where t.day <> t.today and t.day_used > 0
  on conflict (organization_id, date) do update set used = u.used + excluded.used`

/** The grants of `tally` in the format of `eval_batch.granted`; null without a batch id. */
export function listGrants(gate: string): string {
  return `
  select string_agg(t.organization_id || ' ' || t.today || ' ' || t.granted, ',') as list
  from tally t where t.granted > 0 and ${gate}::text is not null`
}

/** Stores `grants` under the statement's batch id, unless the process has already given up the batch (refunds.ts). */
export function storeBatch(gate: string, slot: string, number: string): string {
  return `
  insert into eval_batch as b (gate_id, place, number, granted, counted_at)
  select ${gate}::text, ${slot}::smallint, ${number}::bigint, g.list, m.now from grants g, moment m where g.list is not null
  on conflict (gate_id, place) do update
    set number = excluded.number, granted = excluded.granted, counted_at = excluded.counted_at
    where b.number < excluded.number and b.refused < excluded.number
  returning 1`
}

/** Makes the statement fail if the process has given up the batch. */
export const isBatchStored = `(select case when g.list is null then 1 else ${failUnless('(select count(*) from stored_batch) = 1')} end from grants g) = 1`

/** The condition of a statement that only reads: the parameters of its batch id are null. */
export function hasNoBatchId(gate: string, slot: string, number: string): string {
  return `(${gate}::text, ${slot}::smallint, ${number}::bigint) is null`
}

/** Selects the counting variant of a text with parts such as `[[counting][reading]]` or `[[counting]]`. */
export function toCountingText(text: string): string {
  return text.replaceAll(variantPattern, '$1')
}

/** Selects the variant of the same text that only reads. */
export function toReadOnlyText(text: string): string {
  return text.replaceAll(variantPattern, '$2')
}

const variantPattern = /\[\[(.*?)(?:\]\[(.*?))?\]\]/gs

/** The columns of an override `o` that `columnsOfOverride` needs. */
export const storedOverride = `o.feature_key, o.kind, o.allowed, o."limit", o.value, o.starts_at,
    case when o.starts_at is null then o.expires_at else o.ends_at end as expires_at`

/** Whether an override `o` is in force, or will be once it starts. */
export function isLiveOrScheduled(now: string): string {
  return `(o.expires_at is null or o.expires_at > ${now} or o.starts_at is not null)`
}

/** The columns of an override `v`. The last column replaces a long value with its length in bytes. */
export const columnsOfOverride = `v.feature_key, v.kind, v.allowed, v."limit", case when octet_length(v.value) <= ${maxValueBytes} then v.value end,
  date_part('epoch', v.expires_at), date_part('epoch', v.starts_at), case when octet_length(v.value) > ${maxValueBytes} then octet_length(v.value) end`
