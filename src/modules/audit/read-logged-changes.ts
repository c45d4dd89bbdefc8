import { firstIdAt } from '../../core/ids.ts'
import { Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { both, computed, orNull, query, viaPrisma } from '../../database/sql.ts'
import { pauseAfterSlices } from '../../fairness/turns.ts'
import { maxIdSkewMs } from '../../recording/entry.ts'
import { hasCreated } from './has-created.ts'
import { toParamCondition } from './param-condition.ts'

/** An entry of a write that changed something, as histories read it. */
export type LoggedChange = {
  id: string
  /** When it changed, in microseconds since 1970. */
  micros: number
  /** Whether the statement that recorded the outcome said so; otherwise it is when the request was received. */
  isExact: boolean
  memberId: string
  method: string
  route: string
  /** The feature or plan that the path names. */
  key: string | null
  featureKey: string | null
  createdId: string | null
  details: Record<string, unknown> | null
}

/** Some of the entries that were asked for, newest id first. */
export type LoggedChanges = { changes: LoggedChange[]; isWhole: boolean; bytes: number }

/** How long after the time in its id an entry may have changed something: the skew of ids, and longer than any write takes. */
export const maxChangeDelayMs = maxIdSkewMs + 60_000

/** The lowest id that a change after this moment may have. */
export function firstChangeAfter(timeMs: number): string {
  return firstIdAt(timeMs - maxChangeDelayMs)
}

/** The bytes of details that are read at once; one entry is read whatever its size. */
const maxBytes = 8 * 1024 * 1024

const found = both(
  computed({
    id: ['text', Prisma.sql`audit_event_id`],
    micros: ['float8', Prisma.sql`extract(epoch from coalesce(changed_at, occurred_at)) * 1000000`],
    isExact: ['boolean', Prisma.sql`changed_at is not null`],
    memberId: ['text', Prisma.sql`member_id`],
    method: ['text', Prisma.sql`method`],
    route: ['text', Prisma.sql`route`],
    total: ['float8', Prisma.sql`total`],
  }),
  orNull(
    computed({
      key: ['text', Prisma.sql`params ->> 'key'`],
      featureKey: ['text', Prisma.sql`params ->> 'feature_key'`],
      createdId: ['text', Prisma.sql`created_id`],
      details: ['text', Prisma.sql`told`],
    }),
  ),
)

const succeeded = Prisma.raw(
  `status between 200 and 299 and (details is not null or created_id is not null or method = 'DELETE')`,
)

type Asked = { conditions: readonly Prisma.Sql[]; limit: number; details?: Prisma.Sql }

/** Reads the newest entries that meet all conditions, of one organization. */
async function load(
  db: Queries,
  organizationId: string,
  { conditions, limit, details }: Asked,
): Promise<LoggedChanges> {
  const all = Prisma.join([Prisma.sql`organization_id = ${organizationId}`, succeeded, ...conditions], ' and ')
  const rows = await viaPrisma(db).query(query`
    select ${found}
      from (select *, count(*) over () as total,
                   sum(octet_length(told)) over (order by audit_event_id desc rows unbounded preceding)
                     - octet_length(told) as bytes_before
              from (select *, ${details ?? Prisma.raw('details')} as told from audit_event
                     where ${all} order by audit_event_id desc limit ${limit + 1}) as newest) as weighed
     where coalesce(bytes_before, 0) <= ${maxBytes}
     order by audit_event_id desc`)
  const isWhole = rows.length <= limit && rows.length === (rows[0]?.total ?? 0)
  const pause = pauseAfterSlices(organizationId)
  const changes: LoggedChange[] = []
  for (const { total: _, details, ...row } of rows.slice(0, limit)) {
    await pause()
    changes.push({
      ...row,
      micros: Math.round(row.micros),
      details: details === null ? null : (JSON.parse(details) as Record<string, unknown>),
    })
  }
  return { changes, isWhole, bytes: rows.reduce((bytes, { details }) => bytes + (details?.length ?? 0), 0) }
}

const subscriber = '/org/subscribers/{subscriber_id}'
const subscriptions = `${subscriber}/subscriptions`
const override = `${subscriber}/overrides/{feature_key}`
const imported = '/org/subscribers/import'
const routesOfSubscriber = [
  override,
  subscriptions,
  `${subscriptions}/change`,
  `${subscriptions}/{subscription_id}/cancel`,
  imported,
]
export const routes = { subscriber, override, imported, subscribers: '/org/subscribers' }

/**
 * What changed a subscriber's overrides or subscriptions, or created it, since it was created. With `feature`, leaves out the
 * overrides of others, but for those of imports.
 */
export async function loadSubscriberChanges(
  db: Queries,
  { organizationId, id, createdAt }: { organizationId: string; id: string; createdAt: Date },
  { limit, feature }: { limit: number; feature: string | undefined },
): Promise<LoggedChanges> {
  const since = Prisma.sql`audit_event_id >= ${firstChangeAfter(createdAt.getTime())}`
  const own = [since, toParamCondition('subscriber_id', id), Prisma.sql`route in (${Prisma.join(routesOfSubscriber)})`]
  const made = [since, hasCreated(organizationId, id), Prisma.sql`route = ${routes.subscribers}`]
  const ofFeature = Prisma.sql`(route <> ${routes.override} or params ->> 'feature_key' = ${feature ?? ''})`
  const conditions = feature === undefined ? own : [...own, ofFeature]
  const changes = await load(db, organizationId, { conditions, limit })
  if (!changes.isWhole) return changes
  const creation = await load(db, organizationId, { conditions: made, limit: 10 })
  return { ...changes, changes: [...changes.changes, ...creation.changes] }
}

/** The entries of one object with ids below `before`. */
export type ObjectChanges = { organizationId: string; key: string; before: string | null; limit: number }

/** Changes of a plan's name, grants or archived state; with `feature`, only those of its grant. */
export function loadPlanChanges(
  db: Queries,
  { organizationId, key, before, limit }: ObjectChanges,
  { feature, withArchived = false }: { feature?: string | undefined; withArchived?: boolean } = {},
): Promise<LoggedChanges> {
  const patched = Prisma.sql`(method = 'PATCH' and route = '/org/plans/{key}')`
  const archived = Prisma.sql`route in ('/org/plans/{key}/archive', '/org/plans/{key}/unarchive')`
  const grant = feature === undefined ? null : Prisma.sql`details::json -> 'grants' -> ${feature}`
  return load(db, organizationId, {
    conditions: [
      toParamCondition('key', key),
      Prisma.raw('details is not null'),
      withArchived ? Prisma.sql`(${patched} or ${archived})` : patched,
      ...(before === null ? [] : [Prisma.sql`audit_event_id < ${before}`]),
      // The first condition spares most entries the second, which parses them.
      ...(grant ? [Prisma.sql`strpos(details, ${`"${feature}"`}) > 0`, Prisma.sql`${grant} is not null`] : []),
    ],
    limit,
    ...(grant && {
      details: Prisma.sql`
        json_build_object('grants', json_build_object(${feature}::text, ${grant}), 'note', details::json -> 'note')::text`,
    }),
  })
}

/** Changes of a feature's own fields. */
export function loadFeatureChanges(
  db: Queries,
  { organizationId, key, before, limit }: ObjectChanges,
): Promise<LoggedChanges> {
  return load(db, organizationId, {
    conditions: [
      toParamCondition('key', key),
      Prisma.sql`method = 'PATCH' and route = '/org/features/{key}' and details is not null`,
      ...(before === null ? [] : [Prisma.sql`audit_event_id < ${before}`]),
    ],
    limit,
  })
}

/** The newest entry before this one, if any, that changed the plan's grant for the feature, or created the plan. */
export async function findGrantBefore(
  db: Queries,
  { organizationId, key, before }: { organizationId: string; key: string; before: string },
  feature: string,
): Promise<LoggedChange | null> {
  const { changes } = await loadPlanChanges(db, { organizationId, key, before, limit: 1 }, { feature })
  if (changes[0]) return changes[0]
  const created = await load(db, organizationId, {
    conditions: [hasCreated(organizationId, key), Prisma.sql`route = '/org/plans' and audit_event_id < ${before}`],
    limit: 1,
  })
  return created.changes[0] ?? null
}

/** Which features were created or deleted, by entries with ids from `since` on. */
export async function loadCatalogChanges(
  db: Queries,
  organizationId: string,
  { since, limit }: { since: string; limit: number },
): Promise<LoggedChanges> {
  const after = Prisma.sql`audit_event_id >= ${since}`
  const [created, deleted] = [
    await load(db, organizationId, {
      conditions: [after, Prisma.sql`route = '/org/features' and method = 'POST'`],
      limit,
    }),
    await load(db, organizationId, {
      conditions: [after, Prisma.sql`route = '/org/features/{key}' and method = 'DELETE'`],
      limit,
    }),
  ]
  return {
    changes: [...created.changes.map((change) => ({ ...change, key: change.createdId })), ...deleted.changes],
    isWhole: created.isWhole && deleted.isWhole,
    bytes: created.bytes + deleted.bytes,
  }
}

/** The entries that created features of this key, newest first. */
export async function loadCreationsOfFeature(
  db: Queries,
  organizationId: string,
  key: string,
): Promise<LoggedChange[]> {
  const conditions = [hasCreated(organizationId, key), Prisma.sql`route = '/org/features' and method = 'POST'`]
  return (await load(db, organizationId, { conditions, limit: 1000 })).changes
}

/** When the oldest entry of the organization's log was recorded, or null if there is none. */
export async function loadLogBeginning(db: Queries, organizationId: string): Promise<Date | null> {
  const [oldest] = await viaPrisma(db).query(query`
    select ${computed({ at: ['timestamptz', Prisma.sql`occurred_at`] })} from audit_event
     where organization_id = ${organizationId} order by audit_event_id limit 1`)
  return oldest?.at ?? null
}
