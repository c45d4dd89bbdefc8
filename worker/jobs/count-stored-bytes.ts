import type pg from 'pg'
import { encodeTime } from 'ulidx'
import { asynchronousCommit } from '../../src/database/sql.ts'
import { Pace } from '../../src/fairness/pace.ts'
import type { Clock } from '../clock.ts'
import {
  auditEntryTable,
  type CountedTable,
  countedTables,
  countStatement,
  organizationBytes,
  type StoredKind,
} from './counted-tables.ts'

/** Limits on the rows of a statement: it takes a few milliseconds, and other requests can use the database before the next. */
const batches = { batchMs: 15, minRows: 200, maxRows: 20_000 }
/** The number of organizations that are checked together. */
const pages = { batchMs: 15, minRows: 100, maxRows: 2000 }
/** The minimum number of rows that a statement may read of each organization; most organizations have fewer rows. */
const minShare = 50
const defaultSettledMs = 2 * 60_000
/** After this time, bytes are counted again even without a new entry in the log: pruning events and attempts adds no entry. */
const maxAgeSeconds = 24 * 60 * 60

type CountOptions = {
  pool: pg.Pool
  clock: Clock
  signal: AbortSignal
  /** At this age, by the time in its id, an entry is certainly in the log with its outcome. */
  settledMs?: number
}

/**
 * Counts the bytes of every organization that has changed since its last count, if that count is old enough. Works in short
 * batches with pauses. When the signal aborts, it ends at once, and unsaved counts are repeated later. Returns the number of
 * organizations counted.
 */
export async function countAllStoredBytes(options: CountOptions, minAgeSeconds: number): Promise<number> {
  const pace = new Pace({ ...pages, signal: options.signal })
  let counted = 0
  let last = ''
  let mayBeMore = true
  while (mayBeMore && !pace.isEnded) {
    const { taken, isFull } = await pace.batch((atMost) => readOrganizations(options.pool, last, atMost))
    counted += await countStoredBytes(options, taken, minAgeSeconds)
    last = taken.at(-1) ?? last
    mayBeMore = isFull
  }
  return counted
}

/** Like `countAllStoredBytes`, but for these organizations only. */
export async function countStoredBytes(
  options: CountOptions,
  organizationIds: readonly string[],
  minAgeSeconds: number,
): Promise<number> {
  if (organizationIds.length === 0) return 0
  const { pool, clock, signal, settledMs = defaultSettledMs } = options
  const now = await readClock(pool, clock)
  const horizon = encodeTime(now.getTime() - settledMs, 10)
  const due = await findChangedOrganizations(pool, organizationIds, { now, horizon, minAgeSeconds })
  if (due.length === 0) return 0
  const pace = new Pace({ ...batches, signal })
  await addEntryBytes(pool, pace, due, horizon)
  const bytes = new Map(due.map(({ organization_id }) => [organization_id, zeroByteCounts()]))
  for (const source of countedTables) await countSource(pool, pace, source, bytes)
  // If interrupted, the count of entries is saved, and the other tables will be counted another time.
  if (pace.isEnded) return 0
  await storeBytes(pool, bytes, now)
  return due.length
}

/** The maximum age of a new organization. */
const newMs = 2 * 60 * 60_000

/** Finds new organizations that were never counted, by the time in their ids. */
export async function findOrganizationsToCount({
  pool,
  clock,
}: Pick<CountOptions, 'pool' | 'clock'>): Promise<string[]> {
  const now = await readClock(pool, clock)
  const { rows } = await pool.query<{ organization_id: string }>(
    `select organization_id from organization
      where organization_id > $1
        and not exists (select from stored_bytes stored
                         where stored.organization_id = organization.organization_id and stored.counted_at is not null)`,
    [encodeTime(now.getTime() - newMs, 10)],
  )
  return rows.map(({ organization_id }) => organization_id)
}

/** Finds organizations close to their cap or above it. `maxStoredBytes` is the server's cap; null means unlimited. */
export async function findOrganizationsNearCap(pool: pg.Pool, maxStoredBytes: number | null): Promise<string[]> {
  const { rows } = await pool.query<{ organization_id: string }>(
    `select organization_id from stored_bytes where cap is null and total >= $1::bigint * 0.9
      union all
     select organization_id from stored_bytes where cap is not null and cap >= 0 and total >= cap * 0.9`,
    [maxStoredBytes],
  )
  return rows.map(({ organization_id }) => organization_id)
}

async function readClock(pool: pg.Pool, clock: Clock): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>(`select ${clock.sql()} as now`)
  return (rows[0] as { now: Date }).now
}

async function readOrganizations(pool: pg.Pool, after: string, atMost: number): Promise<string[]> {
  const { rows } = await pool.query<{ organization_id: string }>(
    'select organization_id from organization where organization_id > $1 order by organization_id limit $2',
    [after, atMost],
  )
  return rows.map(({ organization_id }) => organization_id)
}

type OrganizationToCount = { organization_id: string; audit_until: string }
type CountTimes = { now: Date; horizon: string; minAgeSeconds: number }

/**
 * Finds the organizations with new entries in the log, which records all writes, or with new events, which show most changes by
 * workers; the daily count finds the other changes. Reads the newest row, because with `exists` PostgreSQL would scan the
 * entries of all organizations.
 */
async function findChangedOrganizations(
  pool: pg.Pool,
  organizationIds: readonly string[],
  { now, horizon, minAgeSeconds }: CountTimes,
): Promise<OrganizationToCount[]> {
  const { rows } = await pool.query<OrganizationToCount>(
    `select requested.organization_id, coalesce(stored.audit_until, '') as audit_until
       from unnest($1::text[]) as requested (organization_id)
       left join stored_bytes stored using (organization_id)
      where stored.counted_at is null
         or (stored.counted_at <= $2::timestamptz - $4::float8 * interval '1 second' and (
              (select true from audit_event entry
                where entry.organization_id = requested.organization_id
                  and entry.audit_event_id > stored.audit_until and entry.audit_event_id <= $3
                order by entry.audit_event_id desc limit 1)
              or (select true from webhook_event event
                   where event.organization_id = requested.organization_id and event.event_id > stored.audit_until
                   order by event.event_id desc limit 1)
              or (stored.events > 0 and stored.counted_at <= $2::timestamptz - ${maxAgeSeconds} * interval '1 second')))
      order by requested.organization_id`,
    [organizationIds, now, horizon, minAgeSeconds],
  )
  return rows
}

/** The rows of an organization after this id, which are still to be read. */
type UnreadRows = { organizationId: string; after: string }
type RowSum = { organization_id: string; rows: number; bytes: string; last: string | null }

/** Reads all unread rows in equal shares, so that an organization with very many rows does not delay the others. */
async function readAllRows(
  pace: Pace,
  unread: readonly UnreadRows[],
  read: (values: [string[], string[], number]) => Promise<RowSum[]>,
): Promise<void> {
  const waiting = [...unread]
  while (waiting.length > 0 && !pace.isEnded) {
    await pace.batch(async (atMost) => {
      const batch = waiting.splice(0, Math.max(1, Math.floor(atMost / minShare)))
      const share = Math.floor(atMost / batch.length)
      const parts = await read([batch.map((each) => each.organizationId), batch.map((each) => each.after), share])
      for (const { organization_id, rows, last } of parts) {
        if (rows === share) waiting.push({ organizationId: organization_id, after: last as string })
      }
      // Each organization has a cost, however few rows it has.
      return Array.from({ length: parts.reduce((sum, { rows }) => sum + Math.max(rows, minShare), 0) })
    })
  }
}

/**
 * Adds the bytes of the entries since the last count. The statement that reads a batch saves its sum, so an interruption loses
 * nothing.
 */
async function addEntryBytes(
  pool: pg.Pool,
  pace: Pace,
  due: readonly OrganizationToCount[],
  horizon: string,
): Promise<void> {
  const unread = due.map(({ organization_id, audit_until }) => ({
    organizationId: organization_id,
    after: audit_until,
  }))
  await readAllRows(pace, unread, async (values) => {
    const { rows } = await pool.query<RowSum>(
      `with setting as materialized (select ${asynchronousCommit}),
       part as materialized (${countStatement(auditEntryTable, ' and audit_event_id <= $4')}),
       added as (
         insert into stored_bytes as stored (organization_id, audit, total, audit_until)
         select organization_id, bytes, bytes, case when rows < $3 then $4 else last end from part, setting
          where exists (select from organization where organization.organization_id = part.organization_id)
          order by organization_id
         on conflict (organization_id) do update
           set audit = stored.audit + excluded.audit, total = stored.total + excluded.total, audit_until = excluded.audit_until
           where stored.audit_until < excluded.audit_until)
       select organization_id, rows, bytes, last from part`,
      [...values, horizon],
    )
    return rows
  })
}

type ByteCounts = Record<Exclude<StoredKind, 'audit'>, number>

function zeroByteCounts(): ByteCounts {
  return { events: 0, subscribers: 0, overrides: 0, catalog: 0, other: organizationBytes }
}

async function countSource(
  pool: pg.Pool,
  pace: Pace,
  source: CountedTable,
  bytes: Map<string, ByteCounts>,
): Promise<void> {
  const statement = countStatement(source)
  const unread = Array.from(bytes.keys(), (organizationId) => ({ organizationId, after: '' }))
  await readAllRows(pace, unread, async (values) => {
    const { rows } = await pool.query<RowSum>(statement, values)
    for (const part of rows) {
      const counted = bytes.get(part.organization_id) as ByteCounts
      counted[source.kind as keyof ByteCounts] += Number(part.bytes)
    }
    return rows
  })
}

async function storeBytes(pool: pg.Pool, bytes: ReadonlyMap<string, ByteCounts>, now: Date): Promise<void> {
  const counts = [...bytes.values()]
  await pool.query(
    `with setting as materialized (select ${asynchronousCommit})
     update stored_bytes stored
        set events = counted.events, subscribers = counted.subscribers, overrides = counted.overrides,
            catalog = counted.catalog, other = counted.other, counted_at = $7,
            total = stored.audit + counted.events + counted.subscribers + counted.overrides + counted.catalog + counted.other
       from setting, unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
            as counted (organization_id, events, subscribers, overrides, catalog, other)
      where stored.organization_id = counted.organization_id`,
    [
      [...bytes.keys()],
      counts.map(({ events }) => events),
      counts.map(({ subscribers }) => subscribers),
      counts.map(({ overrides }) => overrides),
      counts.map(({ catalog }) => catalog),
      counts.map(({ other }) => other),
      now,
    ],
  )
}
