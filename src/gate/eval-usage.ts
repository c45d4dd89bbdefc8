import type { Queries } from '../database/prisma.ts'

/** `month` is `YYYY-MM`; `allotment` null is unlimited; `days` are the UTC days with evals, ascending. */
export type EvalUsage = {
  month: string
  used: number
  allotment: number | null
  days: { date: string; used: number }[]
}

type EvalUsageRequest = {
  organizationId: string
  /** `YYYY-MM`; the current month of the database's clock when absent. */
  month?: string | undefined
  /** The server's allotment, for organizations without their own; null is unlimited. */
  monthlyAllotment: number | null
}

type UsageRow = { month: string; allotment: string | null; date: string | null; used: string | null }

/**
 * Loads the organization's evals in a calendar month: past days from the usage table, and the current day from its counter row.
 * Uses one statement, because a day moves between the two tables. If the clock went back, a day may be in both.
 */
export async function loadEvalUsage(
  db: Pick<Queries, '$queryRaw'>,
  { organizationId, month, monthlyAllotment }: EvalUsageRequest,
): Promise<EvalUsage> {
  const rows = await db.$queryRaw<UsageRow[]>`
    with requested as (
      select coalesce(${month ?? null}::text, to_char(now() at time zone 'UTC', 'YYYY-MM')) as month
    ),
    counted as (
      select u.organization_id, u.date, u.used from eval_usage_day u where u.organization_id = ${organizationId}
      union all
      select c.organization_id, c.day, c.day_used from eval_counter c where c.organization_id = ${organizationId}
    ),
    day as (
      select d.organization_id, d.date, sum(d.used) as used from counted d, requested a
      where d.used > 0
        and d.date >= to_date(a.month || '-01', 'YYYY-MM-DD')
        and d.date < to_date(a.month || '-01', 'YYYY-MM-DD') + interval '1 month'
      group by d.organization_id, d.date
    )
    select a.month, c.allotment::text, to_char(d.date, 'YYYY-MM-DD') as date, d.used::text
    from requested a
    cross join eval_counter c
    left join day d on d.organization_id = c.organization_id
    where c.organization_id = ${organizationId}
    order by d.date`
  const [first] = rows
  if (first === undefined) throw new Error(`organization ${organizationId} has no row in eval_counter`)
  const days = rows.flatMap(({ date, used }) => (date === null ? [] : [{ date, used: Number(used) }]))
  return {
    month: first.month,
    used: days.reduce((sum, day) => sum + day.used, 0),
    allotment: toAllotment(first.allotment, monthlyAllotment),
    days,
  }
}

/** A stored null means the server's default, and -1 is unlimited. */
function toAllotment(stored: string | null, monthlyAllotment: number | null): number | null {
  if (stored === null) return monthlyAllotment
  return stored === '-1' ? null : Number(stored)
}
