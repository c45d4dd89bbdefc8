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
} from '../statement/counter-text.ts'
import { Precheck } from '../statement/gate-text.ts'

/**
 * Reads the snapshots of many subscribers of one organization, and counts them against its allotment: all of them, or none if
 * too little is left. The rate limit was checked before. The guarantees, the double brackets and the columns of the rows are
 * the same as in the gate's statement: see gate-text.ts and eval-decisions.ts, which reads the rows.
 *
 * $1 organization · $2 subscriber ids · $3 default allotment, null for unlimited · $4 lock timeout, as a setting · $5 to $7 the
 * gate, slot and number of the statement, null if it has no batch id.
 */
const template = `
with setting as materialized (
  select set_config('synchronous_commit', 'off', true) as synchronous_commit, set_config('lock_timeout', $4, true) as lock_timeout
),
requested as materialized (
  select e.n, e.subscriber_id, s.plan_key,
    s.plan_key is not null or (select true from subscriber s
      where s.organization_id = $1 and s.subscriber_id = e.subscriber_id) is true as has_subscriber
  from unnest($2::text[]) with ordinality as e(subscriber_id, n)
  left join lateral (select s.plan_key from subscription s
    where s.organization_id = $1 and s.subscriber_id = e.subscriber_id and s.status = 'active' limit 1) s on true
),
arrived as materialized (select count(*) as evals, count(*) filter (where a.has_subscriber) as answerable from requested a),
locked as materialized (
  select a.evals, a.answerable, c.organization_id, c.second, c.day, c.day_used, c.month_used, c.allotment
  from setting
  cross join arrived a
  join eval_counter c on c.organization_id = $1
  [[for update of c]]
),
moment as materialized (${momentAfterLocks}),
before as (
  select l.organization_id, l.evals, l.answerable, l.day, l.day_used, t.now, t.today,
    case when t.today = l.day then l.day_used else 0 end as day_before,
    ${evalsOfMonth} as month_before,
    ${allotmentWithDefault('$3')} as allotment
  from locked l
  cross join lateral (${countedAt}) t
  offset 0
),
tally as materialized (
  select b.*, [[case when b.month_before + b.answerable > b.allotment then 0 else b.answerable end][${allotmentLeft}]] as granted
  from before b
)[[,
moved as (${storeEndedDay}),
counted as (
  update eval_counter c set day = t.today, day_used = t.day_before + t.granted, month_used = t.month_before + t.granted
  from tally t
  where c.organization_id = $1 and (t.granted > 0 or t.day <> t.today)
),
grants as materialized (${listGrants('$5')}),
stored_batch as (${storeBatch('$5', '$6', '$7')})]]
select a.n, t.organization_id, case when a.has_subscriber then ${Precheck.answerable} else ${Precheck.unknownSubscriber} end,
  a.plan_key, date_part('epoch', t.now), t.evals, t.granted, t.allotment, o.catalog_version, o.catalog_bytes, null,
  ${columnsOfOverride},
  o.creator_id, null
from requested a
cross join tally t
join organization o on o.organization_id = $1
left join lateral (
  select ${storedOverride} from "override" o
  where o.organization_id = $1 and o.subscriber_id = a.subscriber_id and ${isLiveOrScheduled('t.now')}
  limit ${maxSnapshotOverrides + 1}
) v on a.has_subscriber and t.granted > 0
where [[${isBatchStored}][${hasNoBatchId('$5', '$6', '$7')}]]
`

export type BulkTexts = { counting: string; reading: string }

/** `clock` replaces the database's clock, as in `gateTexts`. */
export function bulkTexts(clock = 'clock_timestamp()'): BulkTexts {
  const text = template.replaceAll('clock_timestamp()', clock)
  return { counting: toCountingText(text), reading: toReadOnlyText(text) }
}
