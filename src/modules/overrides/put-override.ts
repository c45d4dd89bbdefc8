import { notFound } from '../../core/errors.ts'
import { keyPattern } from '../../core/fields.ts'
import { startOverrides, toStoredRow } from '../../database/current-override.ts'
import { Prisma } from '../../database/generated/client.ts'
import { combineColumns, computedColumns, nullableColumns, query, type Sql } from '../../database/sql.ts'
import {
  columnsOf,
  featureTable,
  insertRow,
  overrideTable,
  primaryKeyEquals,
  subscriberTable,
  updateRow,
} from '../../database/table.ts'
import { defineFastWrite } from '../../operation/operation.ts'
import type { Feature } from '../features/feature.ts'
import { isSubscriberId } from '../subscribers/subscriber.ts'
import { lockOverride, type OverrideKey, overrideAnswer, overrideEvents } from './override.ts'
import { computePut, toRecordedFields } from './override-change.ts'
import { overrideInput } from './override-input.ts'

export const putOverride = defineFastWrite({
  name: 'putOverride',
  summary: 'Create or replace the override of a subscriber for one feature.',
  method: 'PUT',
  route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
  service: 'api',
  labels: ['overrides:write'],
  status: 200,
  input: overrideInput,
  answer: overrideAnswer,
  refusals: ['CONFLICT'],
  lockAndRead(sql, { organizationId, path: { subscriber_id: subscriberId, feature_key: featureKey }, input }) {
    const overrideKey = { organizationId, subscriberId, featureKey }
    return [lockSubscriberAndFeature(sql, overrideKey), lockOverride(sql, overrideKey, input.kind === 'config')]
  },
  apply([feature, locked], { organizationId, path, memberId, input, limits }) {
    const subscriber = { organizationId, id: path.subscriber_id }
    const put = computePut({ feature, subscriber, locked, input, memberId, limits })
    const { override, changes, isWritten, isEvent, movesEnd, due } = put
    if (!isWritten) return { result: override, details: null }
    const effects = {
      events: overrideEvents(override, { features: isEvent ? [feature.key] : [], movesEnd }, locked.lockedAt),
      jobs: due.map((startAfter) => ({ queue: 'override.expire' as const, startAfter })),
    }
    const row = toStoredRow(override)
    if (changes) {
      const started = startOverrides(locked.override?.isStartDue ? [locked.override] : [])
      return { result: override, details: changes, writes: [...started, updateRow(overrideTable, row)], ...effects }
    }
    const details = { override_id: override.id, ...toRecordedFields(override) }
    return { result: override, createdId: override.id, details, writes: [insertRow(overrideTable, row)], ...effects }
  },
})

/**
 * Locks the subscriber and then the feature, in one statement. Throws 404 for the first of them that does not exist. The
 * feature's lock is shared: it keeps the feature and its options from being removed while the override refers to them.
 */
async function lockSubscriberAndFeature(
  sql: Sql,
  { organizationId, subscriberId, featureKey }: OverrideKey,
): Promise<Feature> {
  if (!isSubscriberId(subscriberId)) throw notFound('subscriber', subscriberId)
  // No feature has the empty key.
  const key = keyPattern.test(featureKey) ? featureKey : ''
  // PostgreSQL evaluates the count first, so the subscriber is locked before the feature.
  const [row] = await sql.query(query`
    with owner as materialized (
           select from subscriber where ${primaryKeyEquals(subscriberTable, { organizationId, id: subscriberId })} for update),
         referred as materialized (select * from feature where ${primaryKeyEquals(featureTable, { organizationId, key })} for share)
    select ${lockedColumns} from (select count(*) as subscribers from owner) locked left join referred on true`)
  const { subscribers, ...feature } = row as NonNullable<typeof row>
  if (subscribers === 0) throw notFound('subscriber', subscriberId)
  if (feature.key === null) throw notFound('feature', featureKey)
  return feature as Feature
}

const lockedColumns = combineColumns(
  computedColumns({ subscribers: ['float8', Prisma.raw('locked.subscribers')] }),
  nullableColumns(columnsOf(featureTable, 'referred')),
)
