import type { Pool } from 'pg'
import type { Logger } from 'pino'

/** Warns operators in the log when an organization nears its allotment or exceeds its rate limit. */
export type LimitNotices = {
  /** Called for each eval that the rate limit refuses; returns at once. */
  rateLimited(organizationId: string): void
  close(): Promise<void>
}

export type LimitNoticesOptions = {
  pool: Pool
  logger: Pick<Logger, 'warn'>
  /** The defaults for organizations without their own limits. */
  rateLimitPerSecond: number
  monthlyAllotment: number | null
  sweepMs?: number
  /** The number of organizations whose counters one statement reads. */
  sliceSize?: number
}

const maxRemembered = 10_000
const minuteMs = 60_000

type RateRow = { organization_id: string; rate: number }
type AllotmentRow = { organization_id: string; percent: number; used: string; allotment: string; month: string }

/** If several processes refuse an organization's evals in the same minute, only the first to insert its row logs the line. */
const insertRateNotices = `
  with noted as (
    insert into limit_notice as n (organization_id, kind, period)
    select organization_id, 'rate', date_trunc('minute', clock_timestamp()) from organization
    where organization_id = any($1)
    order by organization_id
    on conflict (organization_id, kind) do update set period = excluded.period where n.period < excluded.period
    returning organization_id)
  select c.organization_id, coalesce(c.rate_limit, $2::int) as rate
  from noted n join eval_counter c on c.organization_id = n.organization_id`

/** Finds the last organization of the next slice; returns no row if that slice is the last one. */
const selectEndOfSlice = `
  select c.organization_id as until from eval_counter c where c.organization_id > $1
  order by c.organization_id offset $2 limit 1`

/**
 * Records, once a month, each threshold of the allotment that an organization of the slice has passed. If an organization
 * passed several thresholds since the last check, returns only the highest.
 */
const insertAllotmentNotices = `
  with counted as (
    select c.organization_id, c.month_used as used, date_trunc('month', now(), 'UTC') as month,
      case when c.allotment = -1 then null when c.allotment is null then $1::bigint else c.allotment end as allotment
    from eval_counter c
    where c.organization_id > $2 and ($3::text is null or c.organization_id <= $3)
      and date_trunc('month', c.day::timestamp) = date_trunc('month', now() at time zone 'UTC')),
  noted as (
    insert into limit_notice as n (organization_id, kind, period)
    select c.organization_id, 'allotment_' || t.percent, c.month
    from counted c
    cross join (values (80), (90), (100)) as t (percent)
    where c.used > 0 and c.used * 100 >= c.allotment * t.percent
      and not exists (select from limit_notice said where said.organization_id = c.organization_id
        and said.kind = 'allotment_' || t.percent and said.period >= c.month)
    order by 1, 2
    on conflict (organization_id, kind) do update set period = excluded.period where n.period < excluded.period
    returning organization_id, split_part(kind, '_', 2)::int as percent)
  select c.organization_id, max(n.percent) as percent, c.used, c.allotment,
    to_char(c.month at time zone 'UTC', 'YYYY-MM') as month
  from noted n join counted c on c.organization_id = n.organization_id
  group by c.organization_id, c.used, c.allotment, c.month`

/** Checks the counters periodically instead of during evals, so that evals stay fast. */
export function createLimitNotices(options: LimitNoticesOptions): LimitNotices {
  const { pool, logger, rateLimitPerSecond, monthlyAllotment, sweepMs = 30_000, sliceSize = 2000 } = options
  /** For each organization, the minute of the last refusal that was noted, by this process's clock. */
  const notedMinutes = new Map<string, number>()
  const organizationsToNote = new Set<string>()
  let running: Promise<void> = Promise.resolve()
  let isClosed = false
  let isSweeping = false
  const sweeper = setInterval(() => {
    if (!isSweeping) enqueue(sweep)
    isSweeping = true
  }, sweepMs).unref()

  function enqueue(check: () => Promise<void>): void {
    running = running.then(check).catch((error) => logger.warn({ err: error }, 'could not check the limits on evals'))
  }

  async function logRateLimits(): Promise<void> {
    const organizationIds = [...organizationsToNote]
    organizationsToNote.clear()
    const { rows } = await pool.query<RateRow>(insertRateNotices, [organizationIds, rateLimitPerSecond])
    for (const { organization_id: organizationId, rate } of rows) {
      logger.warn(
        { organizationId, rate },
        `an organization's evals beyond ${rate} a second are refused. To raise the limit: ${limitsCommand(organizationId, '--rate')}`,
      )
    }
  }

  /** Checks all organizations in slices, so that other work can use the database and its connections between two statements. */
  async function sweep(): Promise<void> {
    try {
      let after: string | null = ''
      while (after !== null && !isClosed) {
        const until = await findEndOfSlice(after)
        await logAllotments(after, until)
        after = until
      }
    } finally {
      isSweeping = false
    }
  }

  async function findEndOfSlice(after: string): Promise<string | null> {
    const { rows } = await pool.query<{ until: string }>(selectEndOfSlice, [after, sliceSize - 1])
    return rows[0]?.until ?? null
  }

  async function logAllotments(after: string, until: string | null): Promise<void> {
    const { rows } = await pool.query<AllotmentRow>(insertAllotmentNotices, [monthlyAllotment, after, until])
    for (const { organization_id: organizationId, percent, used, allotment, month } of rows) {
      const consequence = percent === 100 ? '; further ones are refused' : ''
      logger.warn(
        { organizationId, percent, used: Number(used), allotment: Number(allotment), month },
        `an organization has used ${percent} % of its evals for this month${consequence}. To raise the allotment: ${limitsCommand(organizationId, '--allotment')}`,
      )
    }
  }

  return {
    rateLimited(organizationId) {
      const minute = Math.floor(Date.now() / minuteMs)
      if (notedMinutes.get(organizationId) === minute) return
      if (notedMinutes.size >= maxRemembered) notedMinutes.clear()
      notedMinutes.set(organizationId, minute)
      organizationsToNote.add(organizationId)
      if (organizationsToNote.size === 1) enqueue(logRateLimits)
    },
    async close() {
      isClosed = true
      clearInterval(sweeper)
      await running
    },
  }
}

function limitsCommand(organizationId: string, option: '--rate' | '--allotment'): string {
  return `npm run org:limits -- --organization ${organizationId} ${option} N`
}
