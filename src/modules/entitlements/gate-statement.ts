import type { CatalogRows } from './catalog.ts'
import type { OverrideInForce } from './entitlement.ts'
import type { TextRow, TextStatement } from './text-query.ts'

/** Who asks: a key by its hash, or a member whose console session was looked up when the request came. */
export type EvalCaller =
  | { keyHash: Buffer; member?: undefined }
  | { keyHash?: undefined; member: { organizationId: string; memberId: string } }

/** One eval as the statement takes it. `held` is the version of the catalog in memory, or '-1'. */
export type AskedEval = EvalCaller & {
  held: string
  subscriberId: string
  /** Null is the whole catalog; no key twice. */
  features: readonly string[] | null
  /** Whether the held catalog has all of `features`. */
  known: boolean
}

/** What is the same for every eval of a process. Null rate or allotment in an organization's row means these. */
export type GateDefaults = {
  roles: readonly string[]
  rateLimitPerSecond: number
  /** Evals a calendar month; null is unlimited. */
  monthlyAllotment: number | null
  lockTimeoutMs: number
}

/** In the order in which an eval is refused. */
export const Verdict = {
  noCounter: 0,
  forbidden: 1,
  rateLimited: 2,
  unknownSubscriber: 3,
  unknownFeature: 4,
  exhausted: 5,
  granted: 6,
} as const

export type Verdict = (typeof Verdict)[keyof typeof Verdict]

/** One eval as the statement answers it; an eval whose key is unknown or disabled has none. */
export type JudgedEval = {
  verdict: Verdict
  organizationId: string
  catalogVersion: string
  planKey: string | null
  /** The database's time, null where nothing was counted. */
  now: Date | null
  /** With verdict exhausted. */
  allotment: number | null
  /** Live ones among what was asked, by feature key. */
  overrides: Map<string, OverrideInForce>
}

/** `judged` has one place for each eval asked; `catalogs` are those whose version differed, by organization. */
export type Judgement = {
  judged: (JudgedEval | undefined)[]
  catalogs: Map<string, { version: string; rows: CatalogRows }>
}

/**
 * All waiting evals in one statement. What it promises, and by what:
 *
 * - Fresh: it begins after each eval arrived, so its snapshot has every write that was answered before.
 * - Counted exactly: a counter row is locked before it is read (`locked`), so that the count is the newest one although
 *   the snapshot is older, and all numbers written come from there. Several processes take turns on the row.
 * - No deadlock: rows are locked in the order of their ids, by every statement.
 * - Time is the database's, read once all rows are locked (`moment`): what is counted in a second was admitted in it.
 *   A clock up to 5 s behind the stored second counts in the stored one, so that a small step back never opens a second
 *   window; a bigger step starts afresh, so that nobody is locked out until the clock is there again.
 * - Commits without waiting for the disk, in this transaction alone: a crash of the database may forget the last
 *   moment's counts, in the vendor's favour.
 * - Contents and version of a catalog are of one snapshot: it is returned with the first eval of an organization whose
 *   version differs from the one held.
 *
 * Single rows are looked up by scalar subqueries: their plan is an index probe for each eval, whatever the size of the
 * tables was when the statement was prepared, and case and `limit` skip those not needed.
 *
 * $1 key hashes · $2 catalog versions held, -1 when none · $3 subscriber ids · $4 feature keys joined by commas, null
 * for all · $5 whether the held catalog has them all · $6 roles that may evaluate · $7 default rate · $8 default
 * allotment, null when unlimited · $9 wait for a lock, as a setting · $10 organizations and $11 members of evals without a
 * key. $1 to $5, $10 and $11 have one element for each eval, in order of arrival; keys are unique within $4. An eval has a
 * key hash or a member, and the other is null.
 */
const text = `
with setting as materialized (
  select set_config('synchronous_commit', 'off', true) as synchronous_commit, set_config('lock_timeout', $9, true) as lock_timeout
),
asked as materialized (
  select
    e.n, e.subscriber_id, e.features, e.known, e.held, m.organization_id, o.catalog_version,
    m.role::text = any($6::text[]) as permitted,
    (select s.plan_key from subscription s
      where s.organization_id = m.organization_id and s.subscriber_id = e.subscriber_id and s.status = 'active') as plan_key
  from unnest($1::bytea[], $2::bigint[], $3::text[], $4::text[], $5::boolean[], $10::text[], $11::text[])
    with ordinality as e(key_hash, held, subscriber_id, features, known, organization_id, member_id, n)
  left join api_key k on k.key_hash = e.key_hash
  join member m on m.organization_id = coalesce(k.organization_id, e.organization_id)
    and m.member_id = coalesce(k.member_id, e.member_id) and m.status = 'active'
  join organization o on o.organization_id = m.organization_id
),
found as materialized (
  select a.*,
    a.plan_key is not null or (select true from subscriber s
      where s.organization_id = a.organization_id and s.subscriber_id = a.subscriber_id) is true as has_subscriber,
    case
      when a.features is null then true
      when a.held = a.catalog_version then a.known
      else (select count(*) from feature f
        where f.organization_id = a.organization_id and f.feature_key = any(string_to_array(a.features, ',')))
        = cardinality(string_to_array(a.features, ','))
    end as has_features
  from asked a
),
numbered as materialized (
  select f.*,
    row_number() over arrived as arrival,
    count(*) filter (where f.has_subscriber and f.has_features) over arrived as answerable
  from found f
  window arrived as (partition by f.organization_id, f.permitted order by f.n rows unbounded preceding)
),
locked as materialized (
  select c.organization_id, c.second, c.second_used, c.day, c.day_used, c.month_used, c.rate_limit, c.allotment
  from setting
  cross join (select distinct a.organization_id from asked a where a.permitted) a
  join eval_counter c on c.organization_id = a.organization_id
  order by c.organization_id
  for update of c
),
moment as materialized (
  select clock_timestamp() as now from (select count(*) as rows from locked) l where l.rows >= 0
),
dated as materialized (
  select l.*, m.now, w.at, (w.at at time zone 'UTC')::date as today
  from locked l
  cross join moment m
  cross join lateral (select case
    when date_trunc('second', m.now) < l.second and l.second - date_trunc('second', m.now) <= interval '5 seconds' then l.second
    else date_trunc('second', m.now) end as at) w
),
base as materialized (
  select d.organization_id, d.now, d.at, d.today, d.day, d.day_used,
    case when d.at = d.second then d.second_used else 0 end as second_before,
    case when d.today = d.day then d.day_used else 0 end as day_before,
    case
      when d.today = d.day or date_trunc('month', d.today::timestamp) = date_trunc('month', d.day::timestamp) then d.month_used
      else (select coalesce(sum(u.used), 0) from eval_usage_day u
        where u.organization_id = d.organization_id
          and u.date >= date_trunc('month', d.today::timestamp)::date
          and u.date < (date_trunc('month', d.today::timestamp) + interval '1 month')::date)
    end as month_before,
    coalesce(d.rate_limit, $7::int) as rate_limit,
    case when d.allotment = -1 then null when d.allotment is null then $8::bigint else d.allotment end as allotment
  from dated d
),
judged as materialized (
  select n.n, n.organization_id, n.catalog_version, n.held, n.subscriber_id, n.features, n.plan_key, n.arrival,
    b.now, b.allotment,
    case
      when not n.permitted then ${Verdict.forbidden}
      when b.organization_id is null then ${Verdict.noCounter}
      when b.second_before + n.arrival > b.rate_limit then ${Verdict.rateLimited}
      when not n.has_subscriber then ${Verdict.unknownSubscriber}
      when not n.has_features then ${Verdict.unknownFeature}
      when b.month_before + n.answerable > b.allotment then ${Verdict.exhausted}
      else ${Verdict.granted}
    end as verdict
  from numbered n
  full join base b on b.organization_id = n.organization_id
),
tally as (
  select j.organization_id, count(*) as admitted, count(*) filter (where j.verdict = ${Verdict.granted}) as granted
  from judged j where j.verdict > ${Verdict.rateLimited} group by j.organization_id
),
moved as (
  insert into eval_usage_day as u (organization_id, date, used)
  select b.organization_id, b.day, b.day_used from base b where b.day <> b.today and b.day_used > 0
  on conflict (organization_id, date) do update set used = u.used + excluded.used
),
tallied as materialized (
  select b.*, coalesce(t.admitted, 0) as admitted, coalesce(t.granted, 0) as granted
  from base b
  full join tally t on t.organization_id = b.organization_id
),
counted as (
  update eval_counter c set
    second = t.at,
    second_used = t.second_before + t.admitted,
    day = t.today,
    day_used = t.day_before + t.granted,
    month_used = t.month_before + t.granted
  from tallied t
  where c.organization_id = t.organization_id and (t.admitted > 0 or t.day <> t.today)
)
select j.n, j.verdict, j.organization_id, j.catalog_version, j.plan_key, date_part('epoch', j.now),
  case when j.verdict = ${Verdict.exhausted} then j.allotment end,
  case when j.arrival = 1 and j.held <> j.catalog_version and j.verdict > ${Verdict.forbidden} then (
    select json_build_object(
      'features', (select coalesce(json_agg(json_build_array(f.feature_key, f.kind) order by f.created_at desc, f.feature_key), '[]')
        from feature f where f.organization_id = j.organization_id),
      'grants', (select coalesce(json_agg(json_build_array(g.plan_key, g.feature_key, g."limit", g.value)), '[]')
        from plan_grant g where g.organization_id = j.organization_id))
  ) end,
  v.feature_key, v.kind, v.allowed, v."limit", v.value, date_part('epoch', v.expires_at)
from judged j
left join lateral (
  select o.feature_key, o.kind, o.allowed, o."limit", o.value, o.expires_at from "override" o
  where j.features is not null and o.feature_key = any(string_to_array(j.features, ','))
    and o.organization_id = j.organization_id and o.subscriber_id = j.subscriber_id and (o.expires_at is null or o.expires_at > j.now)
  union all
  select o.feature_key, o.kind, o.allowed, o."limit", o.value, o.expires_at from "override" o
  where j.features is null
    and o.organization_id = j.organization_id and o.subscriber_id = j.subscriber_id and (o.expires_at is null or o.expires_at > j.now)
) v on j.verdict = ${Verdict.granted}
`

/** The statement for these evals. */
export function gateStatement(evals: readonly AskedEval[], defaults: GateDefaults): TextStatement {
  return { name: 'eval-gate', text, values: parameters(evals, defaults) }
}

function parameters(evals: readonly AskedEval[], defaults: GateDefaults): (string | number | null)[] {
  let hashes = ''
  let held = ''
  let subscribers = ''
  let features = ''
  let known = ''
  let organizations = ''
  let members = ''
  for (const asked of evals) {
    hashes += asked.keyHash ? `,"\\\\x${asked.keyHash.toString('hex')}"` : ',null'
    organizations += `,${asked.member?.organizationId ?? 'null'}`
    members += `,${asked.member?.memberId ?? 'null'}`
    held += `,${asked.held}`
    subscribers += `,${quoted(storable(asked.subscriberId))}`
    features += asked.features === null ? ',null' : `,"${asked.features.map(featureKeyOrNone).join(',')}"`
    known += asked.known ? ',t' : ',f'
  }
  const toArray = (list: string) => `{${list.slice(1)}}`
  return [
    ...[hashes, held, subscribers, features, known].map(toArray),
    `{${defaults.roles.join(',')}}`,
    defaults.rateLimitPerSecond,
    defaults.monthlyAllotment,
    `${defaults.lockTimeoutMs}ms`,
    ...[organizations, members].map(toArray),
  ]
}

/** An element of an array's text form. */
function quoted(value: string): string {
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
}

/**
 * PostgreSQL refuses U+0000, which would refuse every eval of the batch, and a lone surrogate would be sent as U+FFFD,
 * which may be another subscriber's id. No subscriber has such an id, and none has the empty one.
 */
function storable(subscriberId: string): string {
  return subscriberId.includes('\0') || !subscriberId.isWellFormed() ? '' : subscriberId
}

/** Keys are joined by commas and taken as they are, so what cannot be a key is replaced by another that cannot. */
function featureKeyOrNone(key: string): string {
  return /^[a-z0-9_-]{1,64}$/.test(key) ? key : '!'
}

type GateRow = [
  n: string,
  verdict: string,
  organizationId: string,
  catalogVersion: string,
  planKey: string | null,
  nowSeconds: string | null,
  allotment: string | null,
  catalog: string | null,
  featureKey: string | null,
  kind: string | null,
  allowed: string | null,
  limit: string | null,
  valueJson: string | null,
  expiresSeconds: string | null,
]

/** Reads the statement's rows: one for each eval, or one for each of its live overrides. */
export function readJudgement(rows: readonly TextRow[], count: number): Judgement {
  const judged = new Array<JudgedEval | undefined>(count).fill(undefined)
  const catalogs: Judgement['catalogs'] = new Map()
  for (const row of rows as GateRow[]) {
    const index = Number(row[0]) - 1
    const judgedEval = judged[index] ?? toJudgedEval(row)
    judged[index] = judgedEval
    if (row[7] !== null) catalogs.set(row[2], { version: row[3], rows: JSON.parse(row[7]) })
    if (row[8] !== null) judgedEval.overrides.set(row[8], toOverride(row))
  }
  return { judged, catalogs }
}

const noOverrides: Map<string, OverrideInForce> = new Map()

function toJudgedEval(row: GateRow): JudgedEval {
  return {
    verdict: Number(row[1]) as Verdict,
    organizationId: row[2],
    catalogVersion: row[3],
    planKey: row[4],
    // Cut, not rounded: rounding up could expire an override that the statement found live.
    now: row[5] === null ? null : new Date(Math.floor(Number(row[5]) * 1000)),
    allotment: row[6] === null ? null : Number(row[6]),
    overrides: row[8] === null ? noOverrides : new Map(),
  }
}

function toOverride(row: GateRow): OverrideInForce {
  const expiresAt = row[13] === null ? null : fromSeconds(row[13])
  switch (row[9]) {
    case 'flag':
      return { kind: 'flag', allowed: row[10] === 't', expiresAt }
    case 'limit':
      return { kind: 'limit', limit: row[11] === null ? null : Number(row[11]), expiresAt }
    default:
      return { kind: 'config', valueJson: row[12] ?? 'null', expiresAt }
  }
}

/** Whole milliseconds of an epoch in seconds, which has them as a fraction. */
function fromSeconds(seconds: string): Date {
  return new Date(Math.round(Number(seconds) * 1000))
}
