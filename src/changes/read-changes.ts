import type pg from 'pg'
import { type Position, positionAt, positionOf } from './position.ts'

/** A change as it is stored; `body` is the body that a webhook would send. */
export type Change = {
  organizationId: string
  transactionId: number
  id: string
  type: string
  body: string
  /** The database's time when it was written, together with COMMIT. */
  writtenAtMs: number
}

/** The changes after a position, those of earlier transactions first. */
export type ChangesRead = {
  /** Positions of another epoch mean nothing: transactions may have other numbers there. */
  epoch: string
  /** The database's time. */
  atMs: number
  /** The latest transaction whose changes were pruned. */
  prunedUntil: number
  changes: Change[]
  /** The position after this page. */
  position: Position
  hasMore: boolean
  /** The key of the subscriber's plan, if only the subscriber's changes are read. */
  plan: string | null
}

/** The selection of changes: all changes of these organizations, or those that a subscriber may see. */
export type ChangeSelection = readonly string[] | { organizationId: string; subscriberId: string }

/** A page ends with the change that exceeds these bytes. */
const maxBytes = 1_048_576

/** The changes after the position, as `union all` of two selects. `filter` begins with `and`. */
function changesWhere(filter: string, limit: string): string {
  return `
                (select * from change
                  where change.organization_id = followed.organization_id ${filter}
                    and (transaction_id, change_id) > ($2::bigint, $3::text)
                    and transaction_id < (select number from next) ${limit})
                union all
                (select * from change
                  where change.organization_id = followed.organization_id ${filter}
                    and transaction_id = any($4::bigint[]) ${limit})`
}

/**
 * The statement's own snapshot tells which transactions it sees, so that nothing can commit between the two.
 *
 * In a database that was restored from a dump, changes and `pruned_until` have numbers of the server that was dumped, which
 * may be ahead of this one's: they would be new in every read. They are ignored until this server's numbers have passed them.
 */
function toText(plan: string, changes: string): string {
  return `
with next as materialized (
  select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as number),
head as materialized (
  select pg_current_snapshot()::text as snapshot, extract(epoch from clock_timestamp())::float8 * 1000 as "atMs",
         case when epoch.pruned_until >= (select number from next) then 0 else epoch.pruned_until end::text as "prunedUntil",
         left(md5(concat_ws(' ', epoch.change_epoch_id, system_identifier, database.oid, 'change_epoch'::regclass::oid)), 16) as epoch,
         (${plan}) as plan
    from pg_control_system() join pg_database database on datname = current_database()
    left join change_epoch epoch on true),
found as (
  select change.*, sum(octet_length(body)) over (order by transaction_id, change_id) - octet_length(body) as "bytesBefore",
         count(*) over ()::int as "foundCount"
    from (select change.*
            from unnest($1::text[]) as followed (organization_id)
           cross join lateral (${changes}) change
           order by transaction_id, change_id limit $5::int + 1) change)
select head.*, organization_id as "organizationId", transaction_id::text as "transactionId", change_id as id, type, body,
       extract(epoch from written_at)::float8 * 1000 as "writtenAtMs", "foundCount"
  from head left join found on "bytesBefore" < ${maxBytes}
 order by transaction_id, change_id limit $5::int`
}

/** Uses the index of a subscriber: reading its changes must not cost as much as reading everybody's. */
const subscriber = `((body::json ->> 'subscriber_id') collate "C")`

const allChangesQuery = {
  name: 'read-changes',
  text: toText('null', changesWhere('', 'order by transaction_id, change_id limit $5::int + 1')),
}

/**
 * The plan is that of the snapshot: a subscriber who moved to another one has a change of its own, before or after. There are
 * few of these changes, and with a limit PostgreSQL may look for them among all, in the order of the primary key.
 */
const subscriberChangesQuery = {
  name: 'read-own-changes',
  text: toText(
    `select plan_key from subscription where organization_id = $6 and subscriber_id = $7 and status = 'active'`,
    [
      `and ${subscriber} = $7`,
      `and ${subscriber} is null
                    and (type <> 'plan.grants.updated' or body::json ->> 'key' = (select plan from head))`,
    ]
      .map((filter) => changesWhere(filter, ''))
      .join(`
                union all`),
  ),
}

type Row = {
  snapshot: string
  atMs: number
  prunedUntil: string | null
  epoch: string
  organizationId: string | null
  transactionId: string
  id: string
  type: string
  body: string
  writtenAtMs: number
  foundCount: number
  plan: string | null
}

/**
 * At most `limit` changes that a reader at this position has not seen, and the position after them. Without a position, no
 * changes and the current position.
 */
export async function readChanges(
  pool: pg.Pool,
  whose: ChangeSelection,
  from: Position | null,
  limit: number,
): Promise<ChangesRead> {
  const { next, after, running } = from ?? { next: 0, after: '', running: [] }
  const [organizationIds, statement, subscriber] =
    'subscriberId' in whose
      ? [[whose.organizationId], subscriberChangesQuery, [whose.organizationId, whose.subscriberId]]
      : [whose, allChangesQuery, []]
  const values = [from === null ? [] : organizationIds, next, after, running, limit, ...subscriber]
  const { rows } = await pool.query<Row>({ ...statement, values })
  const { snapshot, epoch, atMs, prunedUntil, foundCount, plan } = rows[0] as Row
  if (prunedUntil === null) {
    await pool.query('insert into change_epoch default values on conflict do nothing')
    return readChanges(pool, whose, from, limit)
  }
  const changes = rows.flatMap(({ organizationId, transactionId, id, type, body, writtenAtMs }) =>
    organizationId === null
      ? []
      : { organizationId, transactionId: Number(transactionId), id, type, body, writtenAtMs },
  )
  const last = changes.at(-1)
  const hasMore = last !== undefined && foundCount > changes.length
  const seen = positionOf(snapshot)
  const position = hasMore ? positionAt(seen, last) : seen
  return { epoch, atMs, prunedUntil: Number(prunedUntil), changes, position, hasMore, plan }
}
