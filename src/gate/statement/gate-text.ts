import { isAddressNotAllowed } from '../../access/allowed-networks.ts'
import { isMoved } from '../../access/organization-move.ts'
import {
  allotmentLeft,
  allotmentWithDefault,
  columnsOfOverride,
  countedAt,
  evalsOfMonth,
  hasNoBatchId,
  isBatchStored,
  isLiveOrScheduled,
  listGrants,
  maxSnapshotOverrides,
  momentAfterLocks,
  storeBatch,
  storedOverride,
  storeEndedDay,
  toCountingText,
  toReadOnlyText,
} from './counter-text.ts'

/** The result of an eval before the organization's own limits apply: the first reason for a refusal, else `answerable`. */
export const Precheck = {
  forbidden: '0',
  unknownSubscriber: '1',
  unknownFeature: '2',
  answerable: '3',
  /** The key is not allowed from the caller's network. */
  elsewhere: '4',
  /** The subscriber's tokens have sent too many evals in this second. */
  subscriberLimited: '5',
  /** The organization is served by another installation. */
  moved: '6',
  /** All tokens of the organization together have sent too many evals in this second. */
  tokensLimited: '7',
  /** Tokens have used their share of the allotment. */
  tokensExhausted: '8',
} as const

/** The maximum number of evals per second by one subscriber's tokens, over all processes. */
export const tokenEvalsPerSecond = 5

/** The subscriber id in the row of `token_counter` for all tokens of an organization. No subscriber has this id. */
const allSubscribers = ''

/** The fraction of a monthly allotment that evals by tokens may use; the remainder is for the vendor's own keys. */
export const tokenAllotmentShare = 0.9

/** SQL: whether evals by tokens count in the stored second, even if the clock is slightly behind it (as for organizations). */
const isSameSecond = `excluded.second <= c.second and c.second - excluded.second <= interval '5 seconds'`

/** SQL: counts evals by tokens in their row of `token_counter`, which the statement calls `c`. */
const countInSecond = `on conflict (organization_id, subscriber_id) do update set
    second = case when ${isSameSecond} then c.second else excluded.second end,
    used = case when ${isSameSecond} then c.used + excluded.used else excluded.used end`

/**
 * Decides and counts a batch of evals in one statement. The guarantees of the statement, and how it keeps them:
 *
 * - Fresh: it begins after its evals arrived, so its snapshot contains every write that was answered before.
 * - Counted exactly: it locks a counter row before reading it (`locked`), so that it sees the newest count even if the
 *   snapshot is older, and derives all numbers that it writes from that count. Several processes take turns at the row.
 * - In order of arrival: the rate limit admits an organization's first evals (`admitted` of them), and the allotment
 *   grants the first answerable evals among these (`granted` of them). The two numbers determine which evals.
 * - Tokens have limits of their own: evals beyond one subscriber's limit (`over`) are refused first, then evals by all tokens
 *   of an organization beyond their share of its rate (`beyond`); none of these count for the organization. Evals by tokens are
 *   also refused once their share of the allotment is used, whoever used it (`spent`). Text in double braces is only in the
 *   statement for batches with evals by tokens, so that batches of keys alone cost no more. A full disk may have no space for
 *   rows of `token_counter`, so a statement without a batch id does not count there.
 * - No deadlock: every statement locks rows in the order of their ids, rows of subscribers first.
 * - The time is the database's, read after all rows are locked (`moment`): an eval counted in a second was admitted in it.
 *   If the clock is up to 5 s behind the stored second, evals count in the stored second, so that a small step back never
 *   admits the rate twice; after a bigger step the count starts again, so that nobody waits for the clock to catch up.
 * - Fast: only this transaction commits without waiting for the disk. A crash of the database may lose the last counts, in the
 *   vendor's favor: the counts since the last write or, if fewer, those of three times wal_writer_delay (0.6 s by default).
 *   A crash of this process loses no counts.
 * - Verifiable (`stored_batch`): its grants are stored with its batch id until the slot's next statement. A statement that
 *   arrives after the process has asked whether it was counted fails (`failUnless`), so it is never counted later.
 * - Answers while the database takes no writes: text in double brackets is only in the statement that counts, or, after `][`,
 *   only in the statement that reads. The latter returns the whole rate and what is left of the allotment, from which this
 *   process subtracts what it counted in memory (memory-limits.ts).
 * - Small: it returns a catalog's version, never its contents, and overrides only if they are few and short. Large data
 *   is read separately (catalogs.ts, large-overrides.ts), so that nobody waits for another owner's megabytes.
 *
 * Single rows are looked up by subqueries that the planner cannot convert to a join over all rows: one index probe for each
 * eval, whatever size the tables had when the statement was prepared; case and `limit` skip unnecessary probes.
 * `offset 0` keeps the planner from copying an expression to each place that uses its value. Overrides of single features have
 * the order of their primary key, and `any(array[…])` makes that order matter: otherwise, the planner may choose the index by
 * feature, where a subscriber's overrides are far apart (for ten features, a fifth of the statement's time).
 *
 * $1 key hashes · $2 catalog versions in memory, or null · $3 subscriber ids · $4 feature keys joined by commas, null
 * for all · $5 whether the catalog in memory has all of these · $6 roles that may evaluate · $7 default rate · $8 default
 * allotment, null for unlimited · $9 lock timeout, as a setting · $10 organizations and $11 members of evals without a
 * key · $12 whether to read all overrides · $13 addresses of keys that may be bound to networks. $1 to $5 and $10 to $13 have
 * one element for each eval, in order of arrival; feature keys are unique within an eval. An eval has either a key hash, a
 * member or a token; the others are null. $14 to $16 are the gate, slot and number of the statement, null without a batch id.
 * $17 has the key that made the token and $18 when its subscriber was created, for each eval. $19 is the tokens' share of
 * the rate.
 *
 * eval-decisions.ts reads the rows: one for each eval, or one for each of its overrides that are live or will start; the
 * organization's values are only on the row of its first permitted eval. An eval with an unknown or expired key, a disabled
 * member, or a token that has ended, has no row.
 */
const template = `
with setting as materialized (
  select set_config('synchronous_commit', 'off', true) as synchronous_commit, set_config('lock_timeout', $9, true) as lock_timeout
),
requested as materialized (
  select
    e.n, m.organization_id, o.creator_id, o.catalog_version, o.catalog_bytes, e.held, e.subscriber_id, e.features, e.reads_all, s.plan_key,
    case
      when ${isMoved('m')} then ${Precheck.moved}
      when ${isAddressNotAllowed('e.address')} then ${Precheck.elsewhere}
      when m.role = any($6::"role"[]) then null
      else ${Precheck.forbidden}
    end as refused_as,
    cardinality(k.allowed_networks) > 0 as is_bound{{, e.key_id is not null as is_by_token}},
    s.plan_key is not null or (select true from subscriber s
      where s.organization_id = m.organization_id and s.subscriber_id = e.subscriber_id) is true as has_subscriber,
    case
      when e.features is null then true
      when e.held = o.catalog_version then e.known
      else (select count(*) from feature f
        where f.organization_id = m.organization_id and f.feature_key = any(string_to_array(e.features, ',')))
        = cardinality(string_to_array(e.features, ','))
    end as has_features
  from unnest($1::bytea[], $2::uuid[], $3::text[], $4::text[], $5::boolean[], $10::text[], $11::text[], $12::boolean[], $13::inet[]{{, $17::text[], $18::timestamptz[]}})
    with ordinality as e(key_hash, held, subscriber_id, features, known, organization_id, member_id, reads_all, address{{, key_id, since}}, n)
  left join api_key k on k.key_hash = e.key_hash and (k.expires_at is null or k.expires_at > statement_timestamp())
  {{left join lateral (select t.member_id from api_key t
    join subscriber b on b.organization_id = t.organization_id and b.subscriber_id = e.subscriber_id and b.created_at = e.since
    where e.key_id is not null and t.organization_id = e.organization_id and t.key_id = e.key_id
      and (t.expires_at is null or t.expires_at > statement_timestamp()) limit 1) t on true}}
  join member m on m.organization_id = coalesce(k.organization_id, e.organization_id)
    and m.member_id = coalesce(k.member_id, {{t.member_id, }}e.member_id) and m.status = 'active'
  join organization o on o.organization_id = m.organization_id
  left join lateral (select s.plan_key from subscription s
    where s.organization_id = m.organization_id and s.subscriber_id = e.subscriber_id and s.status = 'active' limit 1) s on true
),
{{[[token_subjects as (
  select a.organization_id, a.subscriber_id, array_agg(a.n order by a.n) as numbers, count(*)::int as evals
  from requested a where a.is_by_token and a.refused_as is null and $14::text is not null
  group by a.organization_id, a.subscriber_id
),
by_token as (
  insert into token_counter as c (organization_id, subscriber_id, second, used)
  select h.organization_id, h.subscriber_id, date_trunc('second', clock_timestamp()), h.evals from token_subjects h
  order by h.organization_id, h.subscriber_id
  ${countInSecond}
  returning c.organization_id, c.subscriber_id, c.used
),
over as materialized (
  select unnest(h.numbers[greatest(${tokenEvalsPerSecond} - (c.used - h.evals), 0) + 1:]) as n
  from token_subjects h join by_token c on c.organization_id = h.organization_id and c.subscriber_id = h.subscriber_id
),
of_tokens as (
  select a.organization_id, array_agg(a.n order by a.n) as numbers, count(*)::int as evals
  from requested a
  where a.is_by_token and a.refused_as is null and $14::text is not null and a.n not in (select o.n from over o)
  group by a.organization_id
),
by_tokens as (
  insert into token_counter as c (organization_id, subscriber_id, second, used)
  select t.organization_id, '${allSubscribers}', date_trunc('second', clock_timestamp()), t.evals from of_tokens t
  order by t.organization_id
  ${countInSecond}
  returning c.organization_id, c.used
),
beyond as materialized (
  select unnest(t.numbers[greatest(ceil(coalesce(e.rate_limit, $7::int) * $19::numeric)::int - (c.used - t.evals), 0) + 1:]) as n
  from of_tokens t
  join by_tokens c on c.organization_id = t.organization_id
  join eval_counter e on e.organization_id = t.organization_id
),
refused as materialized (
  select o.n from over o union all select b.n from beyond b
),]]}}
arrived as (
  select a.organization_id, min(a.n) as first, count(*) as evals,
    count(*) filter (where a.has_subscriber and a.has_features) as answerable
  from requested a where a.refused_as is null{{[[ and a.n not in (select x.n from refused x)]]}} group by a.organization_id
),
locked as materialized (
  select a.first, a.evals, a.answerable,
    c.organization_id, c.second, c.second_used, c.day, c.day_used, c.month_used, c.rate_limit, c.allotment
  from setting
  cross join arrived a
  join eval_counter c on c.organization_id = a.organization_id
  order by c.organization_id
  [[for update of c]]
),
moment as materialized (${momentAfterLocks}),
before as (
  select l.organization_id, l.first, l.evals, l.answerable, l.day, l.day_used, t.now, t.at, t.today,
    case when t.at = l.second then l.second_used else 0 end as second_before,
    case when t.today = l.day then l.day_used else 0 end as day_before,
    ${evalsOfMonth} as month_before,
    coalesce(l.rate_limit, $7::int) as rate_limit,
    ${allotmentWithDefault('$8')} as allotment
  from locked l
  cross join lateral (${countedAt}) t
  offset 0
),
{{[[spent as materialized (
  select e.n, e.organization_id
  from (
    select a.n, a.organization_id, a.is_by_token, row_number() over (partition by a.organization_id order by a.n) as ordinal
    from requested a
    where a.refused_as is null and a.has_subscriber and a.has_features and a.n not in (select x.n from refused x)
  ) e
  join before b on b.organization_id = e.organization_id
  where e.is_by_token and b.allotment is not null and b.month_before + e.ordinal - 1 >= ${tokenAllotmentShare} * b.allotment
),]]}}
tally as materialized (
  select b.*, [[a.admitted,
    case when b.allotment is null then a.answered else least(a.answered, greatest(b.allotment - b.month_before, 0)) end as granted
    ][b.rate_limit as admitted, ${allotmentLeft} as granted]]
  from before b
  [[cross join lateral (
    select r.admitted, case
      when r.admitted = b.evals then b.answerable{{ - (select count(*) from spent s where s.organization_id = b.organization_id)}}
      else (
      select count(*) from (
        select e.has_subscriber and e.has_features{{ and e.n not in (select s.n from spent s)}} as answerable from requested e
        where e.refused_as is null and e.organization_id = b.organization_id{{ and e.n not in (select x.n from refused x)}} order by e.n limit r.admitted) e
      where e.answerable) end as answered
    from (select least(b.evals, greatest(b.rate_limit - b.second_before, 0)) as admitted offset 0) r
    offset 0) a]]
)[[,
moved as (${storeEndedDay}),
counted as (
  update eval_counter c set
    second = t.at,
    second_used = t.second_before + t.admitted,
    day = t.today,
    day_used = t.day_before + t.granted,
    month_used = t.month_before + t.granted
  from tally t
  where c.organization_id = t.organization_id and (t.admitted > 0 or t.day <> t.today)
),
grants as materialized (${listGrants('$14')}),
stored_batch as (${storeBatch('$14', '$15', '$16')})]]
select a.n, a.organization_id,
  case
    when a.refused_as is not null then a.refused_as
    {{[[when a.is_by_token and a.n in (select o.n from over o) then ${Precheck.subscriberLimited}
    when a.is_by_token and a.n in (select b.n from beyond b) then ${Precheck.tokensLimited}]]}}
    when not a.has_subscriber then ${Precheck.unknownSubscriber}
    when not a.has_features then ${Precheck.unknownFeature}
    {{[[when a.is_by_token and a.n in (select s.n from spent s) then ${Precheck.tokensExhausted}]]}}
    else ${Precheck.answerable}
  end,
  a.plan_key,
  case when a.n = t.first then date_part('epoch', t.now) end,
  case when a.n = t.first then t.admitted end,
  case when a.n = t.first then t.granted end,
  case when a.n = t.first then t.allotment end,
  case when a.n = t.first then a.catalog_version end,
  case when a.n = t.first then a.catalog_bytes end,
  case when a.has_subscriber and not a.has_features then (
    select string_agg(w.ordinal::text, ',') from unnest(string_to_array(a.features, ',')) with ordinality as w(feature_key, ordinal)
    where not exists (select from feature f where f.organization_id = a.organization_id and f.feature_key = w.feature_key)
  ) end,
  ${columnsOfOverride},
  case when a.n = t.first then a.creator_id end,
  a.is_bound
from requested a
full join tally t on t.organization_id = a.organization_id
left join lateral (
  (select ${storedOverride} from "override" o
  where not a.reads_all and o.feature_key = any(string_to_array(a.features, ','))
    and o.organization_id = a.organization_id and o.subscriber_id = any(array[a.subscriber_id]) and ${isLiveOrScheduled('t.now')}
  order by o.subscriber_id, o.feature_key)
  union all
  (select ${storedOverride} from "override" o
  where a.reads_all
    and o.organization_id = a.organization_id and o.subscriber_id = a.subscriber_id and ${isLiveOrScheduled('t.now')}
  limit ${maxSnapshotOverrides + 1})
) v on a.refused_as is null and a.has_subscriber
where [[${isBatchStored}][${hasNoBatchId('$14', '$15', '$16')}]]
`

const clock = 'clock_timestamp()'

/** The statements for evals by keys and sessions only, and for batches that also have evals by tokens. */
type TextsByCredential = { byKey: string; byToken: string }

/** One text for a database that takes writes, and one for a database that does not. */
export type GateTexts = { counting: TextsByCredential; reading: TextsByCredential }

/** `ownClock` replaces the database's clock: a SQL expression that each statement evaluates. */
export function gateTexts(ownClock: string = clock): GateTexts {
  const text = template.replaceAll(clock, ownClock)
  const byKey = text.replaceAll(/\{\{.*?\}\}/gs, '')
  const byToken = text.replaceAll(/\{\{(.*?)\}\}/gs, '$1')
  return {
    counting: { byKey: toCountingText(byKey), byToken: toCountingText(byToken) },
    reading: { byKey: toReadOnlyText(byKey), byToken: toReadOnlyText(byToken) },
  }
}
