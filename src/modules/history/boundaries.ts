import { overridesAt } from '../../database/current-override.ts'
import { Prisma } from '../../database/generated/client.ts'
import { rowsOf } from '../../database/rows.ts'
import { computedColumns, query, type Sql } from '../../database/sql.ts'
import { subscriptionTable } from '../../database/table.ts'
import { grantAt } from '../past/versions.ts'
import type { Subscriber } from '../subscribers/subscriber.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { type HistoryPosition, newestFirst } from './position.ts'

/*
 * Boundaries are the times at which an entitlement may have changed: a period of an override, subscription or grant begins or
 * ends. The `part` of a position is the kind of the change, followed by the feature, so that the items of one change follow
 * each other.
 */
export const boundaryKinds = { own: '0', plan: '1', expiry: '2' }
type BoundaryKind = keyof typeof boundaryKinds

/** Sorts after all other parts of its kind, because no key contains `~`. */
export const creationPart = `${boundaryKinds.own}~`

/** The boundaries of a subscriber; with `feature`, only those of its entitlement to that feature. */
export type PastScope = {
  readRows: Sql['query']
  subscriber: Subscriber
  feature: string | undefined
  now: Date
  /** Only boundaries after this time. */
  after: Date
}

export type Boundary = HistoryPosition & { feature: string; before: Subscription | null; after: Subscription | null }

/** The number of subscriptions that a statement reads. */
const subscriptionsAtOnce = 100

type BoundaryLimits = { boundaries: number; changesOfPlan: number }

/** Loads boundaries from a position on, newest first. `next` is the position from which to read on, or null at the end. */
export async function loadBoundaries(
  scope: PastScope,
  from: HistoryPosition,
  size: BoundaryLimits,
): Promise<{ boundaries: Boundary[]; next: HistoryPosition | null }> {
  const subscriptions = await loadSubscriptions(scope, from)
  // If there are more subscriptions to read, the plan before the oldest one that was loaded is not known yet.
  const oldest = subscriptions.length === subscriptionsAtOnce ? (subscriptions.at(-1)?.createdAt ?? null) : null
  const after = oldest && oldest > scope.after ? oldest : scope.after
  const own = await loadBoundariesOfSubscriber({ ...scope, after }, from, subscriptions, size.boundaries)
  const reached = own.length === size.boundaries ? (own.at(-1) ?? null) : null

  const changes = toPlanChanges(subscriptions).filter(
    ({ ms }) => ms > after.getTime() && ms <= from.ms && (reached === null || ms >= reached.ms),
  )
  const newestChanges = changes.slice(0, size.changesOfPlan)
  const ofPlans =
    newestChanges.length === 0 ? [] : await loadBoundariesOfPlans(scope, from, newestChanges, size.boundaries)
  const [next = null] = [
    reached,
    ofPlans.length === size.boundaries ? (ofPlans.at(-1) ?? null) : null,
    newestChanges.length < changes.length ? { ms: newestChanges.at(-1)?.ms ?? 0, part: '~' } : null,
    oldest === after ? { ms: after.getTime(), part: '' } : null,
  ]
    .filter((end) => end !== null)
    .sort(newestFirst)
  const positions = new Map([...own, ...ofPlans].map((position) => [`${position.ms}.${position.part}`, position]))
  return {
    next,
    boundaries: [...positions.values()]
      .filter((position) => next === null || newestFirst(position, next) <= 0)
      .sort(newestFirst)
      .map(({ ms, part }) => ({
        ms,
        part,
        feature: part.slice(1),
        before: findSubscriptionAt(subscriptions, ms - 1),
        after: findSubscriptionAt(subscriptions, ms),
      })),
  }
}

/**
 * Loads the latest subscriptions that began at or before the position, newest first. Leaves out subscriptions that ended at the
 * moment when they began, because an import may create any number of these at the same time. All other subscriptions began at
 * different times.
 */
async function loadSubscriptions(
  { readRows, subscriber: { organizationId, id } }: PastScope,
  { ms }: HistoryPosition,
): Promise<Subscription[]> {
  return readRows(query`
    select ${subscriptionTable.columns} from subscription
     where organization_id = ${organizationId} and subscriber_id = ${id} and created_at <= ${new Date(ms)}
       and (canceled_at is null or canceled_at > created_at)
     order by created_at desc, subscription_id desc limit ${subscriptionsAtOnce}`)
}

/** Finds the newest subscription that was active at the time, like `planAt`: after a step back of the clock, two may overlap. */
function findSubscriptionAt(subscriptions: readonly Subscription[], ms: number): Subscription | null {
  const isActive = ({ createdAt, canceledAt }: Subscription) =>
    createdAt.getTime() <= ms && (canceledAt === null || canceledAt.getTime() > ms)
  return subscriptions.find(isActive) ?? null
}

type SubscriberScope = Pick<PastScope, 'subscriber' | 'now'>

type ChangeOfPlan = { ms: number; before: string | null; after: string | null }

/** The times at which the plan changed, newest first. */
function toPlanChanges(subscriptions: readonly Subscription[]): ChangeOfPlan[] {
  const moments = new Set(
    subscriptions.flatMap(({ createdAt, canceledAt }) => [createdAt, canceledAt ?? createdAt].map(Number)),
  )
  return [...moments]
    .sort((one, other) => other - one)
    .map((ms) => ({
      ms,
      before: findSubscriptionAt(subscriptions, ms - 1)?.planKey ?? null,
      after: findSubscriptionAt(subscriptions, ms)?.planKey ?? null,
    }))
    .filter(({ before, after }) => before !== after)
}

const positionColumns = computedColumns({ at: ['timestamptz', Prisma.sql`at`], part: ['text', Prisma.sql`part`] })

function toPositions(rows: readonly { at: Date; part: string }[]): HistoryPosition[] {
  return rows.map(({ at, part }) => ({ ms: at.getTime(), part }))
}

/** Loads the boundaries of overrides, and of the grants of each plan while the subscriber had the plan. */
async function loadBoundariesOfSubscriber(
  { readRows, subscriber, feature, now, after }: PastScope,
  from: HistoryPosition,
  subscriptions: readonly Subscription[],
  limit: number,
): Promise<HistoryPosition[]> {
  const at = new Date(from.ms)
  const { organizationId, id } = subscriber
  const ofFeature = feature === undefined ? Prisma.empty : Prisma.sql`and feature_key = ${feature}`
  const newest = (table: string | Prisma.Sql, column: string, kind: BoundaryKind, condition: Prisma.Sql) => {
    const [moment, part] = [Prisma.raw(column), Prisma.raw(`'${boundaryKinds[kind]}' || feature_key`)]
    return Prisma.sql`(
      select ${moment} as at, ${part} as part from ${typeof table === 'string' ? Prisma.raw(table) : table}
       where organization_id = ${organizationId} and ${condition} ${ofFeature}
         and ${moment} > ${after} and ${moment} <= ${at} and (${moment} < ${at} or ${part} > ${from.part})
       order by ${moment} desc, feature_key limit ${limit})`
  }
  const own = Prisma.sql`subscriber_id = ${id}`
  const current = Prisma.sql`${overridesAt(organizationId, now)} as override`
  const ended = Prisma.sql`${own} and expires_at > valid_from and expires_at < valid_to`
  const periods = subscriptions.map(({ planKey, createdAt, canceledAt }) => ({
    plan: planKey,
    since: createdAt,
    until: canceledAt && canceledAt < at ? canceledAt : new Date(from.ms + 1),
  }))
  const recent = periods.filter(({ until }) => until > after)
  const ofPlan = (column: string) => {
    const moment = Prisma.raw(`plan_grant_version.${column}`)
    const during = Prisma.sql`plan_key = period.plan and ${moment} >= period.since and ${moment} < period.until`
    const shown =
      feature === undefined ? Prisma.sql`${during} and ${isNotHiddenByOverride({ subscriber, now }, moment)}` : during
    return newest('plan_grant_version', column, 'plan', shown)
  }
  const periodsOfPlan = rowsOf('period', {
    plan: ['text', recent.map(({ plan }) => plan)],
    since: ['timestamptz', recent.map(({ since }) => since)],
    until: ['timestamptz', recent.map(({ until }) => until)],
  })
  const plans = Prisma.sql`
     union
    select granted.*
      from ${feature === undefined ? periodsOfPlan : periodsWithoutOverride({ subscriber, now }, feature, periodsOfPlan)}
     cross join lateral (${ofPlan('valid_from')} union ${ofPlan('valid_to')}) as granted`
  const rows = await readRows(query`
    select ${positionColumns} from (
      ${newest(current, 'updated_at', 'own', own)}
       union
      ${newest('override_version', 'valid_to', 'own', own)}
       union
      ${newest('override_version', 'valid_from', 'own', Prisma.sql`${own} and valid_from = created_at`)}
       union
      ${newest(current, 'expires_at', 'expiry', Prisma.sql`${own} and starts_at is null and expires_at > updated_at and expires_at <= ${now}`)}
       union
      ${newest('override_version', 'expires_at', 'expiry', ended)}
      ${recent.length === 0 ? Prisma.empty : plans}) as boundary
     order by at desc, part limit ${limit}`)
  return toPositions(rows)
}

/**
 * SQL: whether no override hid the grant just before and at that time. PostgreSQL evaluates this condition row by row, and
 * stops at the limit; with `not exists`, it would read all changes of the plan.
 */
function isNotHiddenByOverride(
  { subscriber: { organizationId, id }, now }: SubscriberScope,
  moment: Prisma.Sql,
): Prisma.Sql {
  const ofKey = Prisma.sql`
    organization_id = ${organizationId} and subscriber_id = ${id} and feature_key = plan_grant_version.feature_key`
  const hidesGrant = (overrides: Prisma.Sql) => Prisma.sql`coalesce((
    select false from (${overrides}) as o where o.since < ${moment} and (o.expires_at is null or o.expires_at > ${moment})), true)`
  return Prisma.sql`${hidesGrant(Prisma.sql`
    select valid_from as since, expires_at from override_version
     where ${ofKey} and valid_to > ${moment} order by valid_to limit 1`)}
    and ${hidesGrant(Prisma.sql`select updated_at as since, expires_at from ${overridesAt(organizationId, now)} as override
     where ${ofKey} and starts_at is null`)}`
}

/** SQL: the periods, without the times at which an override hid the grants of this feature. */
function periodsWithoutOverride(
  { subscriber: { organizationId, id }, now }: SubscriberScope,
  feature: string,
  periods: Prisma.Sql,
): Prisma.Sql {
  const ofKey = Prisma.sql`organization_id = ${organizationId} and subscriber_id = ${id} and feature_key = ${feature}`
  return Prisma.sql`(
    select period.plan, lower(shown) as since, upper(shown) as until
      from (select range_agg(tstzrange(since, until)) as periods from (
              select valid_from as since, least(valid_to, expires_at) as until from override_version where ${ofKey}
               union all
              select updated_at, expires_at from ${overridesAt(organizationId, now)} as override
               where ${ofKey} and starts_at is null) as o
             where until is null or until > since) as hidden
     cross join ${periods}
     cross join unnest(tstzmultirange(tstzrange(period.since, period.until)) - coalesce(hidden.periods, '{}')) as shown) as period`
}

/** Loads the boundaries of features whose grants differ between the plan before and the plan after one of these changes. */
async function loadBoundariesOfPlans(
  { readRows, subscriber: { organizationId }, feature }: PastScope,
  from: HistoryPosition,
  changes: readonly ChangeOfPlan[],
  limit: number,
): Promise<HistoryPosition[]> {
  const key = Prisma.sql`known.feature_key`
  const ofFeature = feature === undefined ? Prisma.empty : Prisma.sql`and feature_key = ${feature}`
  const justBefore = Prisma.sql`change.at - interval '1 millisecond'`
  const part = Prisma.raw(`'${boundaryKinds.own}' || known.feature_key`)
  const rows = await readRows(query`
    select ${positionColumns} from (
      select change.at, gained.part from ${rowsOf('change', {
        at: ['timestamptz', changes.map(({ ms }) => new Date(ms))],
        before: ['text', changes.map(({ before }) => before)],
        plan: ['text', changes.map(({ after }) => after)],
      })} cross join lateral (
        select ${part} as part from (
          select feature_key from feature where organization_id = ${organizationId} ${ofFeature}
           union
          select feature_key from former_feature where organization_id = ${organizationId} ${ofFeature}) as known
          left join lateral (${grantAt(organizationId, Prisma.sql`change.before`, key, justBefore)}) as b on true
          left join lateral (${grantAt(organizationId, Prisma.sql`change.plan`, key, Prisma.sql`change.at`)}) as a on true
         where (b.kind, b."limit", b.value) is distinct from (a.kind, a."limit", a.value)
           and (change.at < ${new Date(from.ms)} or ${part} > ${from.part})
         order by ${key} limit ${limit}) as gained) as boundary
     order by at desc, part limit ${limit}`)
  return toPositions(rows)
}
