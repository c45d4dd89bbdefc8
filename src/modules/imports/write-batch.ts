import { nextUpdatedAt } from '../../core/timestamp.ts'
import { startOverrides, toStoredRow } from '../../database/current-override.ts'
import { failUnless } from '../../database/fail-unless.ts'
import { Prisma } from '../../database/generated/client.ts'
import { deleteRows, insertRows, putRows, updateRows } from '../../database/rows.ts'
import { overrideTable, subscriberTable, subscriptionTable } from '../../database/table.ts'
import { setVersionedChange, type VersionedChange } from '../../database/versions.ts'
import type { Override } from '../overrides/override.ts'
import type { Subscriber } from '../subscribers/subscriber.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriberState } from './subscriber-state.ts'

/** The state of a subscriber before and after the lines of a batch. */
type Change = { before: SubscriberState; after: SubscriberState }

/** The statements that write all changes, as few as possible. */
export function toStatements(changes: readonly Change[], by: VersionedChange): Prisma.Sql[] {
  const changed = changes.filter(({ before, after }) => before.subscriber !== after.subscriber)
  const subscribers = changed.flatMap(({ before, after }) =>
    after.subscriber
      ? { isNew: !before.subscriber, row: mergeUpdatedAt(after.subscriber, before.subscriber, by.at) }
      : [],
  )
  const created = subscribers.flatMap(({ isNew, row }) => (isNew ? row : []))
  const updated = subscribers.flatMap(({ isNew, row }) => (isNew ? [] : row))
  const canceled = changes.flatMap(({ before, after }) => after.ended.filter(({ id }) => id === before.active?.id))
  const subscribed = changes.flatMap(newSubscriptions)
  const put = changes.flatMap(({ before, after }) =>
    [...after.overrides.values()]
      .filter((override) => override !== before.overrides.get(override.featureKey))
      .map((override) => {
        const existing = before.overrides.get(override.featureKey)
        return mergeUpdatedAt(override, existing?.id === override.id ? existing : null, by.at)
      }),
  )
  const deleted = changes.flatMap(({ before, after }) =>
    [...before.overrides.values()].filter(({ featureKey }) => !after.overrides.has(featureKey)),
  )
  const replaced = changes.flatMap(({ before, after }) =>
    [...before.overrides.values()].filter((override) => after.overrides.get(override.featureKey) !== override),
  )
  return [
    ...(created.length > 0 ? [insertSubscribers(created)] : []),
    ...(updated.length > 0 ? [updateRows(subscriberTable, updated)] : []),
    ...(canceled.length > 0 ? [updateRows(subscriptionTable, canceled)] : []),
    ...(subscribed.length > 0 ? [insertRows(subscriptionTable, subscribed)] : []),
    ...startOverrides(replaced.filter(({ isStartDue }) => isStartDue)),
    ...(deleted.length > 0 ? deleteOverrides(deleted, by) : []),
    ...(put.length > 0 ? [putRows(overrideTable, put.map(toStoredRow))] : []),
  ]
}

/** The overrides end at one time, which is later than the last change of each, even if the clock has stepped back since. */
function deleteOverrides(rows: readonly Override[], by: VersionedChange): Prisma.Sql[] {
  const at = rows.reduce((latest, row) => nextUpdatedAt(row, latest), by.at)
  return [Prisma.sql`select ${setVersionedChange({ ...by, at })}`, deleteRows(overrideTable, rows)]
}

/**
 * The row as if one write had made all changes of the batch: each line that changes the row moves `updatedAt` on by a
 * millisecond, so that the states differ, but only the final state is written.
 */
function mergeUpdatedAt<Row extends { createdAt: Date; updatedAt: Date }>(row: Row, before: Row | null, at: Date): Row {
  return { ...row, updatedAt: before ? nextUpdatedAt(before, at) : row.createdAt }
}

/** The subscriptions that lines created, some of which later lines may have canceled. */
function newSubscriptions({ before, after }: Change): Subscription[] {
  const all = after.active ? [...after.ended, after.active] : after.ended
  return all.filter(({ id }) => id !== before.active?.id)
}

/** Fails if another request has created one of the subscribers since the batch was read; the batch then runs again. */
function insertSubscribers(rows: readonly Subscriber[]): Prisma.Sql {
  return Prisma.sql`
    with made as (${insertRows(subscriberTable, rows)} on conflict do nothing returning 1)
    select ${Prisma.raw(failUnless(`count(*) = ${rows.length}`))} from made`
}
