import { keyPattern } from '../../core/fields.ts'
import { currentOverride } from '../../database/current-override.ts'
import { Prisma } from '../../database/generated/client.ts'
import { rowsOf } from '../../database/rows.ts'
import { awaitInOrder, computedColumns, query, readClock, type Sql } from '../../database/sql.ts'
import {
  columnsOf,
  featureTable,
  overrideTable,
  planTable,
  subscriberTable,
  subscriptionTable,
} from '../../database/table.ts'
import type { Feature } from '../features/feature.ts'
import type { Override } from '../overrides/override.ts'
import type { Plan } from '../plans/plan.ts'
import type { Subscriber } from '../subscribers/subscriber.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { ImportLine } from './import-line.ts'
import type { SubscriberState } from './subscriber-state.ts'

/** The rows that a batch of lines refers to, locked until its transaction ends. */
type LockedBatch = {
  snapshots: Map<string, SubscriberState>
  features: Map<string, Feature>
  plans: Map<string, Plan>
  /** The database's time after all rows were locked. */
  now: Date
}

type BatchScope = { organizationId: string; isDryRun: boolean }

/**
 * Locks and reads the rows that the lines name, in few statements and in the global order of locks. Batches of an organization
 * run one after another, in all processes: otherwise two imports would share the locks on plans and features without a gap, and
 * a write to these would wait until both imports end. A dry run locks nothing.
 */
export async function lockBatch(sql: Sql, scope: BatchScope, lines: readonly ImportLine[]): Promise<LockedBatch> {
  const ids = sortUnique(lines.map(({ id }) => id))
  const featureKeys = featureKeysOf(lines)
  const planKeys = sortUnique(lines.flatMap(({ planKey }) => planKey ?? []))
  const [, , subscribers, features, plans, lockedAt] = await awaitInOrder([
    sql.query(planForAnyOrganization),
    scope.isDryRun ? [] : sql.query(query`select pg_advisory_xact_lock(${importLockOf(scope.organizationId)})`),
    readSubscribers(sql, scope, ids),
    featureKeys.length === 0 ? [] : readFeatures(sql, scope, featureKeys),
    planKeys.length === 0 ? [] : readPlans(sql, scope, planKeys),
    readClock(sql),
  ])
  const existing = new Set(subscribers.map(({ id }) => id))
  const known = lines.filter(({ id }) => existing.has(id))
  const ofSubscribers = known.length === 0 ? null : await lockSubscribersData(sql, scope, known)
  const now = ofSubscribers?.lockedAt ?? lockedAt
  return {
    snapshots: toSubscriberStates(ids, { subscribers, ...(ofSubscribers ?? noRows) }, now),
    features: new Map(features.map((feature) => [feature.key, feature])),
    plans: new Map(plans.map((plan) => [plan.key, plan])),
    now,
  }
}

type SubscriberRows = Pick<Rows, 'active' | 'overrides' | 'valueBytes'>

const noRows: SubscriberRows = { active: [], overrides: [], valueBytes: [] }

/**
 * Locks and reads the data of existing subscribers. Many batches skip this step, because in most imports either all or none of
 * the subscribers exist.
 */
async function lockSubscribersData(
  sql: Sql,
  scope: BatchScope,
  lines: readonly ImportLine[],
): Promise<SubscriberRows & { lockedAt: Date }> {
  const ids = sortUnique(lines.map(({ id }) => id))
  const [active, overrides, valueBytes, lockedAt] = await awaitInOrder([
    readActiveSubscriptions(sql, scope, ids),
    readOverrides(sql, scope, ids, lines),
    readValueBytes(sql, scope, lines),
    readClock(sql),
  ])
  return { active, overrides, valueBytes, lockedAt }
}

/**
 * The features that the lines name. Leaves out malformed keys: no feature has one, and PostgreSQL refuses some of them as text.
 */
function featureKeysOf(lines: readonly ImportLine[]): string[] {
  return sortUnique(lines.flatMap(({ overrides }) => [...overrides.keys()].filter((key) => keyPattern.test(key))))
}

/** Removes duplicates, and sorts by code point, as the database does. */
function sortUnique(keys: readonly string[]): string[] {
  return [...new Set(keys)].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
}

/**
 * SQL: makes PostgreSQL use generic query plans in this transaction. Query plans for this organization would rely on statistics
 * from before the import: if it had no rows then, PostgreSQL may choose any index that begins with the organization, and read
 * all its rows for each line.
 */
const planForAnyOrganization = query`select set_config('plan_cache_mode', 'force_generic_plan', true)`

function importLockOf(organizationId: string): Prisma.Sql {
  return Prisma.sql`hashtextextended(${`${organizationId}/import`}, 0)`
}

function lockClause({ isDryRun }: BatchScope, strength: 'update' | 'share'): Prisma.Sql {
  return isDryRun ? Prisma.empty : Prisma.raw(`for ${strength}`)
}

/*
 * The statements below look up each row through an index. Otherwise, PostgreSQL would scan the whole table for every batch
 * while it has no statistics about the rows that the import has just added. The planner does not rearrange a subquery that
 * locks rows or has an offset.
 */

function readSubscribers(sql: Sql, scope: BatchScope, ids: string[]): Promise<Subscriber[]> {
  return sql.query(query`
    select ${columnsOf(subscriberTable, 'found')} from ${rowsOf('named', { id: ['text', ids] })}
     cross join lateral (
       select * from subscriber
        where organization_id = ${scope.organizationId} and subscriber_id = named.id
       offset 0 ${lockClause(scope, 'update')}) as found`)
}

function readFeatures(sql: Sql, scope: BatchScope, keys: string[]): Promise<Feature[]> {
  return sql.query(query`
    select ${featureTable.columns} from feature
     where organization_id = ${scope.organizationId} and feature_key = any(${keys}::text[])
     order by feature_key ${lockClause(scope, 'share')}`)
}

function readPlans(sql: Sql, scope: BatchScope, keys: string[]): Promise<Plan[]> {
  return sql.query(query`
    select ${planTable.columns} from plan
     where organization_id = ${scope.organizationId} and plan_key = any(${keys}::text[])
     order by plan_key ${lockClause(scope, 'share')}`)
}

function readActiveSubscriptions(sql: Sql, { organizationId }: BatchScope, ids: string[]): Promise<Subscription[]> {
  return sql.query(query`
    select ${columnsOf(subscriptionTable, 'found')} from ${rowsOf('named', { id: ['text', ids] })}
     cross join lateral (
       select * from subscription
        where organization_id = ${organizationId} and subscriber_id = named.id and status = 'active'
       offset 0) as found`)
}

/** Locks the overrides, so that no worker starts or expires one, in the order of subscribers and features. */
function readOverrides(
  sql: Sql,
  scope: BatchScope,
  ids: readonly string[],
  lines: readonly ImportLine[],
): Promise<Override[]> | [] {
  const linesOf = Map.groupBy(lines, ({ id }) => id)
  const named = ids.flatMap((id) => featureKeysOf(linesOf.get(id) ?? []).map((feature) => ({ id, feature })))
  if (named.length === 0) return []
  const rows = rowsOf('named', {
    id: ['text', named.map(({ id }) => id)],
    feature: ['text', named.map(({ feature }) => feature)],
  })
  return sql.query(query`
    select ${columnsOf(overrideTable, 'found')} from ${rows}
     cross join lateral (
       select * from override
        where organization_id = ${scope.organizationId} and subscriber_id = named.id and feature_key = named.feature
       offset 0 ${lockClause(scope, 'update')}) as found`)
}

type ValueBytes = { id: string; bytes: number }

const valueBytes = computedColumns({
  id: ['text', Prisma.sql`subscriber_id`],
  bytes: ['float8', Prisma.sql`sum(octet_length(value))`],
})

/** Reads the bytes of all override values of each subscriber whose line puts a config value. */
function readValueBytes(
  sql: Sql,
  { organizationId }: BatchScope,
  lines: readonly ImportLine[],
): Promise<ValueBytes[]> | [] {
  const ids = lines.filter(({ overrides }) => [...overrides.values()].some((put) => put?.kind === 'config'))
  if (ids.length === 0) return []
  return sql.query(query`
    select ${valueBytes} from override
     where organization_id = ${organizationId} and subscriber_id = any(${ids.map(({ id }) => id)}::text[])
       and value is not null
     group by subscriber_id`)
}

type Rows = {
  subscribers: readonly Subscriber[]
  active: readonly Subscription[]
  overrides: readonly Override[]
  valueBytes: readonly ValueBytes[]
}

function toSubscriberStates(ids: readonly string[], rows: Rows, now: Date): Map<string, SubscriberState> {
  const subscribers = new Map(rows.subscribers.map((subscriber) => [subscriber.id, subscriber]))
  const active = new Map(rows.active.map((subscription) => [subscription.subscriberId, subscription]))
  const current = rows.overrides.map((override) => currentOverride(override, now))
  const overrides = Map.groupBy(current, ({ subscriberId }) => subscriberId)
  const valueBytes = new Map(rows.valueBytes.map(({ id, bytes }) => [id, bytes]))
  return new Map(
    ids.map((id) => [
      id,
      {
        subscriber: subscribers.get(id) ?? null,
        active: active.get(id) ?? null,
        ended: [],
        overrides: new Map(overrides.get(id)?.map((override) => [override.featureKey, override])),
        valueBytes: valueBytes.get(id) ?? 0,
      },
    ]),
  )
}
