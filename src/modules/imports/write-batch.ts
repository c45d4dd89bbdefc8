import { Prisma } from '../../database/generated/client.ts'
import { rowsOf } from '../../database/rows.ts'
import type { Override } from '../overrides/override.ts'
import type { Subscriber } from '../subscribers/subscriber.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { Snapshot } from './snapshot.ts'

/** What a subscriber has before and after the lines of a batch. */
type Change = { before: Snapshot; after: Snapshot }

/** The fewest statements that lead from one to the other. */
export function toStatements(organizationId: string, changes: readonly Change[]): Prisma.Sql[] {
  const subscribers = changes.filter(({ before, after }) => before.subscriber !== after.subscriber)
  const created = subscribers.flatMap(({ before, after }) => (before.subscriber ? [] : (after.subscriber ?? [])))
  const renamed = subscribers.flatMap(({ before, after }) => (before.subscriber ? (after.subscriber ?? []) : []))
  const canceled = changes.flatMap(({ before, after }) => after.ended.filter(({ id }) => id === before.active?.id))
  const subscribed = changes.flatMap(newSubscriptions)
  const put = changes.flatMap(({ before, after }) =>
    [...after.overrides.values()].filter((override) => override !== before.overrides.get(override.featureKey)),
  )
  const deleted = changes.flatMap(({ before, after }) =>
    [...before.overrides.values()].filter(({ featureKey }) => !after.overrides.has(featureKey)),
  )
  return [
    ...(created.length > 0 ? [insertSubscribers(organizationId, created)] : []),
    ...(renamed.length > 0 ? [renameSubscribers(organizationId, renamed)] : []),
    ...(canceled.length > 0 ? [cancelSubscriptions(organizationId, canceled)] : []),
    ...(subscribed.length > 0 ? [insertSubscriptions(organizationId, subscribed)] : []),
    ...(deleted.length > 0 ? [deleteOverrides(organizationId, deleted)] : []),
    ...(put.length > 0 ? [putOverrides(organizationId, put)] : []),
  ]
}

/** Some may have been canceled by a later line. */
function newSubscriptions({ before, after }: Change): Subscription[] {
  const all = after.active ? [...after.ended, after.active] : after.ended
  return all.filter(({ id }) => id !== before.active?.id)
}

/**
 * Fails with a division by zero if one of them exists: somebody created it since the batch was read, and it is read again then.
 * In the order of ids, so that writers who wait for each other's rows do so in one direction.
 */
function insertSubscribers(organizationId: string, rows: readonly Subscriber[]): Prisma.Sql {
  const made = rowsOf('made', {
    id: ['text', rows.map(({ id }) => id)],
    name: ['text', rows.map(({ name }) => name)],
    created_at: ['timestamptz', rows.map(({ createdAt }) => createdAt)],
    updated_at: ['timestamptz', rows.map(({ updatedAt }) => updatedAt)],
  })
  return Prisma.sql`
    with made as (
      insert into subscriber (organization_id, subscriber_id, name, created_at, updated_at)
      select ${organizationId}::text, id, name, created_at, updated_at
        from ${made}
       order by id collate "C"
          on conflict (organization_id, subscriber_id) do nothing
      returning 1)
    select 1 / (count(*) = ${rows.length}::int)::int from made`
}

function renameSubscribers(organizationId: string, rows: readonly Subscriber[]): Prisma.Sql {
  const renamed = rowsOf('renamed', {
    id: ['text', rows.map(({ id }) => id)],
    new_name: ['text', rows.map(({ name }) => name)],
    renamed_at: ['timestamptz', rows.map(({ updatedAt }) => updatedAt)],
  })
  return Prisma.sql`
    update subscriber set name = new_name, updated_at = renamed_at
      from ${renamed}
     where subscriber.organization_id = ${organizationId} and subscriber.subscriber_id = renamed.id`
}

function cancelSubscriptions(organizationId: string, rows: readonly Subscription[]): Prisma.Sql {
  return Prisma.sql`
    update subscription set status = 'canceled', canceled_at = ${rows[0]?.canceledAt ?? null}
     where organization_id = ${organizationId} and subscription_id = any(${rows.map(({ id }) => id)}::text[])`
}

function insertSubscriptions(organizationId: string, rows: readonly Subscription[]): Prisma.Sql {
  const made = rowsOf('made', {
    id: ['text', rows.map(({ id }) => id)],
    subscriber_id: ['text', rows.map(({ subscriberId }) => subscriberId)],
    plan_key: ['text', rows.map(({ planKey }) => planKey)],
    status: ['subscription_status', rows.map(({ status }) => status)],
    created_at: ['timestamptz', rows.map(({ createdAt }) => createdAt)],
    canceled_at: ['timestamptz', rows.map(({ canceledAt }) => canceledAt)],
    created_by: ['text', rows.map(({ createdBy }) => createdBy)],
  })
  return Prisma.sql`
    insert into subscription (organization_id, subscription_id, subscriber_id, plan_key, status, created_at, canceled_at,
                              created_by)
    select ${organizationId}::text, id, subscriber_id, plan_key, status, created_at, canceled_at, created_by
      from ${made}`
}

function deleteOverrides(organizationId: string, rows: readonly Override[]): Prisma.Sql {
  const gone = rowsOf('gone', {
    subscriber_id: ['text', rows.map(({ subscriberId }) => subscriberId)],
    key: ['text', rows.map(({ featureKey }) => featureKey)],
  })
  return Prisma.sql`
    delete from override using ${gone}
     where override.organization_id = ${organizationId} and override.subscriber_id = gone.subscriber_id
       and override.feature_key = key`
}

function putOverrides(organizationId: string, rows: readonly Override[]): Prisma.Sql {
  const put = rowsOf('put', {
    subscriber_id: ['text', rows.map(({ subscriberId }) => subscriberId)],
    feature_key: ['text', rows.map(({ featureKey }) => featureKey)],
    override_id: ['text', rows.map(({ id }) => id)],
    kind: ['feature_kind', rows.map(({ kind }) => kind)],
    allowed: ['boolean', rows.map(({ allowed }) => allowed)],
    '"limit"': ['bigint', rows.map(({ limit }) => limit)],
    value: ['text', rows.map(({ value }) => value)],
    expires_at: ['timestamptz', rows.map(({ expiresAt }) => expiresAt)],
    expiry_marked: ['boolean', rows.map(({ expiryMarked }) => expiryMarked)],
    note: ['text', rows.map(({ note }) => note)],
    set_by: ['text', rows.map(({ setBy }) => setBy)],
    created_at: ['timestamptz', rows.map(({ createdAt }) => createdAt)],
    updated_at: ['timestamptz', rows.map(({ updatedAt }) => updatedAt)],
  })
  return Prisma.sql`
    insert into override (organization_id, subscriber_id, feature_key, override_id, kind, allowed, "limit", value,
                          expires_at, expiry_marked, note, set_by, created_at, updated_at)
    select ${organizationId}::text, subscriber_id, feature_key, override_id, kind, allowed, "limit", value,
           expires_at, expiry_marked, note, set_by, created_at, updated_at
      from ${put}
        on conflict (organization_id, subscriber_id, feature_key) do update
       set override_id = excluded.override_id, kind = excluded.kind, allowed = excluded.allowed,
           "limit" = excluded."limit", value = excluded.value, expires_at = excluded.expires_at,
           expiry_marked = excluded.expiry_marked, note = excluded.note, set_by = excluded.set_by,
           created_at = excluded.created_at, updated_at = excluded.updated_at`
}
