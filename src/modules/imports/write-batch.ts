import { startOverrides, toStoredRow } from '../../database/current-override.ts'
import { failUnless } from '../../database/fail-unless.ts'
import { Prisma } from '../../database/generated/client.ts'
import { deleteRows, insertRows, putRows, updateRows } from '../../database/rows.ts'
import { overrideTable, subscriberTable, subscriptionTable } from '../../database/table.ts'
import { toSetting, type VersionedChange } from '../../database/versions.ts'
import type { Subscriber } from '../subscribers/subscriber.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { Snapshot } from './snapshot.ts'

/** The state of a subscriber before and after the lines of a batch. */
type Change = { before: Snapshot; after: Snapshot }

/** The statements that write all changes, as few as possible. */
export function toStatements(changes: readonly Change[], by: VersionedChange): Prisma.Sql[] {
  const changed = changes.filter(({ before, after }) => before.subscriber !== after.subscriber)
  const created = changed.flatMap(({ before, after }) => (before.subscriber ? [] : (after.subscriber ?? [])))
  const updated = changed.flatMap(({ before, after }) => (before.subscriber ? (after.subscriber ?? []) : []))
  const canceled = changes.flatMap(({ before, after }) => after.ended.filter(({ id }) => id === before.active?.id))
  const subscribed = changes.flatMap(newSubscriptions)
  const put = changes.flatMap(({ before, after }) =>
    [...after.overrides.values()]
      .filter((override) => override !== before.overrides.get(override.featureKey))
      // If a line created an override and a later line changed it, only its final form is written.
      .map((override) =>
        before.overrides.get(override.featureKey)?.id === override.id
          ? override
          : { ...override, updatedAt: override.createdAt },
      ),
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
    ...(deleted.length > 0 ? [Prisma.sql`select ${toSetting(by)}`, deleteRows(overrideTable, deleted)] : []),
    ...(put.length > 0 ? [putRows(overrideTable, put.map(toStoredRow))] : []),
  ]
}

/** The subscriptions that lines created, of which later lines may have canceled some. */
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
