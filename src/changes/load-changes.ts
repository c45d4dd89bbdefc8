import type pg from 'pg'
import { type Position, positionAfterChange, positionAfterSnapshot } from './position.ts'

/** A stored change; `body` is the body that a webhook would send. */
export type Change = {
  organizationId: string
  transactionId: number
  id: string
  type: string
  body: string
  /** The database's time when the change was written, just before COMMIT. */
  writtenAtMs: number
}

/** The changes after a position, ordered by transaction. */
export type LoadedChanges = {
  /** Positions are comparable only within an epoch: in another epoch, transactions may have other numbers. */
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

/** All changes of these organizations, or the changes that a subscriber may see. */
export type ChangeSelection = readonly string[] | { organizationId: string; subscriberId: string }

/** A page ends with the change whose body brings the total to this many bytes. */
const maxBytes = 1_048_576

/** SQL: the changes after the position, as `union all` of two selects. `filter` begins with `and`. */
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
 * The statement returns its own snapshot, so that no transaction can commit between the snapshot and the read.
 *
 * In a database that was restored from a dump, changes and `pruned_until` have transaction numbers of the original server,
 * which may be higher than those of this server. They are ignored until this server has reached these numbers; otherwise each
 * read would return them.
 */
function toChangesSql(plan: string, changes: string): string {
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

/** Matches the index on subscribers: reading one subscriber's changes must not cost as much as reading all. */
const subscriberIdSql = `((body::json ->> 'subscriber_id') collate "C")`

const allChangesQuery = {
  name: 'read-changes',
  text: toChangesSql('null', changesWhere('', 'order by transaction_id, change_id limit $5::int + 1')),
}

/**
 * Reads the subscriber's plan in the same snapshot. Changes of other plans are left out: each move to another plan is a change
 * of the subscriber itself. The selects have no limit: these changes are few, and with a limit PostgreSQL may scan all changes
 * by primary key.
 */
const subscriberChangesQuery = {
  name: 'read-own-changes',
  text: toChangesSql(
    `select plan_key from subscription where organization_id = $6 and subscriber_id = $7 and status = 'active'`,
    [
      `and ${subscriberIdSql} = $7`,
      `and ${subscriberIdSql} is null
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
 * Reads at most `limit` changes that a reader at this position has not seen, and the position after them. Without a position,
 * returns no changes and the current position.
 */
export async function loadChanges(
  pool: pg.Pool,
  selection: ChangeSelection,
  from: Position | null,
  limit: number,
): Promise<LoadedChanges> {
  const { next, after, running } = from ?? { next: 0, after: '', running: [] }
  const [organizationIds, statement, subscriber] =
    'subscriberId' in selection
      ? [[selection.organizationId], subscriberChangesQuery, [selection.organizationId, selection.subscriberId]]
      : [selection, allChangesQuery, []]
  const values = [from === null ? [] : organizationIds, next, after, running, limit, ...subscriber]
  const { rows } = await pool.query<Row>({ ...statement, values })
  const { snapshot, epoch, atMs, prunedUntil, foundCount, plan } = rows[0] as Row
  if (prunedUntil === null) {
    await pool.query('insert into change_epoch default values on conflict do nothing')
    return loadChanges(pool, selection, from, limit)
  }
  const changes = rows.flatMap(({ organizationId, transactionId, id, type, body, writtenAtMs }) =>
    organizationId === null
      ? []
      : { organizationId, transactionId: Number(transactionId), id, type, body, writtenAtMs },
  )
  const last = changes.at(-1)
  const hasMore = last !== undefined && foundCount > changes.length
  const current = positionAfterSnapshot(snapshot)
  const position = hasMore ? positionAfterChange(current, last) : current
  return { epoch, atMs, prunedUntil: Number(prunedUntil), changes, position, hasMore, plan }
}
