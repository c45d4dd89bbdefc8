import { z } from 'zod'
import { maxCaps } from '../../config-values.ts'
import { defineAnswer, fieldFrom, listOf, nullableFrom, ofKind } from '../../core/answer.ts'
import { anyIdField, idField, keyField, textField, timeField, timeFields } from '../../core/answer-fields.ts'
import { notFound } from '../../core/errors.ts'
import { keyPattern, text, timestamp } from '../../core/fields.ts'
import { type CurrentOverride, currentOverride } from '../../database/current-override.ts'
import { type Override, Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import { combineColumns, computedColumns, nullableColumns, query, type Sql } from '../../database/sql.ts'
import { columnsOf, overrideTable, primaryKeyEquals } from '../../database/table.ts'
import { setVersionedChange, type VersionedChange } from '../../database/versions.ts'
import { defineFields } from '../../database/written-fields.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import { featureKind } from '../features/feature.ts'
import { fromStoredValue, type StoredValue, valueFields } from '../features/stored-value.ts'
import { type ActingMember, actingMemberAnswer, loadActingMembers } from '../members/acting-member.ts'
import type { OverrideValue, StoredOverride } from './override-in-force.ts'

export type { Override } from '../../database/generated/client.ts'
export type { OverrideValue } from './override-in-force.ts'

/** The fields of a put except the value: see override-input.ts. */
export const overrideFields = defineFields('Override', {
  starts_at: {
    input: timestamp()
      .nullable()
      .optional()
      .describe('a valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z, or null for now'),
    answer: timeField().optional().describe('When the override starts; absent once it has started.'),
  },
  expires_at: {
    input: timestamp()
      .nullable()
      .optional()
      .describe('a valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z, or null for no expiry'),
    answer: timeField().nullable().describe('When the override expires; null means never.'),
  },
  note: {
    input: text(1, 500).nullable().optional(),
    answer: textField(1, 500).optional().describe('Why it was set, or a link to a ticket; absent if there is none.'),
  },
})

const answerFields = {
  id: idField().describe('The id of the override.'),
  subscriber_id: anyIdField().describe("The subscriber's id."),
  feature: fieldFrom('featureKey', keyField().describe("The feature's key.")),
  kind: featureKind().describe("The feature's kind."),
  allowed: ofKind('flag', fieldFrom('allowed', z.boolean().describe('Only for kind flag.'))),
  ...valueFields,
  ...overrideFields.answer,
  ...timeFields,
}

export const overrideAnswer = defineAnswer<Override>(
  'Override',
  'Replaces, for one subscriber and one feature, what the plan grants, from its start until it expires or is deleted.',
  answerFields,
)

/** An override with the member who last put it; `setter` is null if the member is unknown. */
export type OverrideWithSetter = Override & { setter: ActingMember | null }

export const overrideWithSetterAnswer = defineAnswer<OverrideWithSetter>(
  'OverrideWithSetter',
  'An override, and who last set it.',
  {
    ...answerFields,
    set_by: nullableFrom('setter', actingMemberAnswer, 'Who last set it, if known.'),
  },
)

/** Adds the setters to the overrides, with one statement. */
export async function withSetters(db: Queries, overrides: readonly Override[]): Promise<OverrideWithSetter[]> {
  const [first] = overrides
  if (!first) return []
  const setters = await loadActingMembers(db, first.organizationId, [
    ...new Set(overrides.flatMap(({ setBy }) => setBy ?? [])),
  ])
  return overrides.map((override) => ({ ...override, setter: setters.get(override.setBy ?? '') ?? null }))
}

export const overridesAnswer = listOf('overrides', overrideAnswer, maxCaps.features)

export function toOverrideValue(override: StoredValue & Pick<Override, 'allowed'>): OverrideValue {
  const value = fromStoredValue(override)
  return value.kind === 'flag' ? { ...value, allowed: override.allowed as boolean } : value
}

export function toStoredOverride(override: CurrentOverride): StoredOverride {
  const { startsAt, expiresAt, expiryMarked, isStartDue = false } = override
  return { value: toOverrideValue(override), startsAt, expiresAt, expiryMarked, isStartDue }
}

export type OverrideKey = Pick<Override, 'organizationId' | 'subscriberId' | 'featureKey'>

/** `lockedAt` is the database's time after the override was locked, which is the time of the write. */
export type LockedOverride = { override: CurrentOverride | null; lockedAt: Date; otherBytes: number }

/**
 * Locks and reads the override, if it exists, so that no worker starts or expires it. With `countsBytes`, also reads the bytes
 * of the values of the subscriber's other overrides. An earlier statement must have locked the subscriber, because this
 * statement does not see an override that was inserted while it waited. Throws 404 if the feature key is malformed.
 */
export async function lockOverride(sql: Sql, key: OverrideKey, countsBytes = false): Promise<LockedOverride> {
  if (!keyPattern.test(key.featureKey)) throw notFound('override', key.featureKey)
  const others = Prisma.sql`
    select coalesce(sum(octet_length(value)), 0) from override
     where organization_id = ${key.organizationId} and subscriber_id = ${key.subscriberId}
       and feature_key <> ${key.featureKey}`
  const found = computedColumns({
    lockedAt: ['timestamptz', Prisma.sql`clock_timestamp()`],
    otherBytes: ['float8', countsBytes ? others : Prisma.sql`0`],
  })
  const [row] = await sql.query(query`
    with existing as materialized (select * from override where ${primaryKeyEquals(overrideTable, key)} for update)
    select ${combineColumns(lockedColumns, found)} from (select count(*) from existing) locked left join existing on true`)
  const { lockedAt, otherBytes, ...existing } = row as NonNullable<typeof row>
  return {
    override: existing.id === null ? null : currentOverride(existing as Override, lockedAt),
    lockedAt,
    otherBytes,
  }
}

const lockedColumns = nullableColumns(columnsOf(overrideTable, 'existing'))

export function deleteStatement(key: OverrideKey, change: VersionedChange): Prisma.Sql {
  return Prisma.sql`
    with setting as materialized (select ${setVersionedChange(change)})
    delete from override using setting where ${primaryKeyEquals(overrideTable, key)}`
}

type OfSubscriber = Omit<OverrideKey, 'featureKey'>

/**
 * Returns an event for the features whose override in force changed. If there are none, returns an event for the change of
 * `valid_until`, or nothing.
 */
export function overrideEvents(
  { organizationId, subscriberId }: OfSubscriber,
  { features, movesEnd }: { features: readonly string[]; movesEnd: boolean },
  now: Date,
): NewEvent[] {
  if (features.length > 0) {
    return [newEvent(organizationId, now, { type: 'entitlements.stale', subscriberId, cause: 'override', features })]
  }
  return movesEnd ? [newEvent(organizationId, now, { type: 'entitlements.end_moved', subscriberId })] : []
}
