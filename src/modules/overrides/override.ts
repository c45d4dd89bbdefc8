import { z } from 'zod'
import { highestCaps } from '../../config-values.ts'
import { defineAnswer, from, listOf, ofKind } from '../../core/answer.ts'
import {
  anyIdField,
  idField,
  jsonField,
  keyField,
  largeCountField,
  textField,
  timeField,
  timeFields,
} from '../../core/answer-fields.ts'
import { notFound } from '../../core/errors.ts'
import { keyPattern } from '../../core/fields.ts'
import { StoredJson } from '../../core/stored-json.ts'
import { type Override, Prisma } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import type { Sql } from '../../database/sql.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import { featureKind } from '../features/feature.ts'
import { type ActingMember, actingMemberAnswer, loadActingMembers } from '../members/acting-member.ts'
import type { OverrideValue, StoredOverride } from './override-in-force.ts'

export type { Override } from '../../database/generated/client.ts'
export type { OverrideValue } from './override-in-force.ts'

const overrideFields = {
  id: idField().describe('The id of the override.'),
  subscriber_id: anyIdField().describe("The subscriber's id."),
  feature: from('featureKey', keyField().describe("The feature's key.")),
  kind: featureKind().describe("The feature's own kind."),
  allowed: ofKind('flag', from('allowed', z.boolean().describe('Only of kind flag.'))),
  limit: ofKind(
    'limit',
    from(
      ({ limit }: Override) => (limit === null ? null : Number(limit)),
      largeCountField().nullable().describe('Only of kind limit; null there is unlimited.'),
    ),
  ),
  // As it was stored: parsed, large values take fourteen times as much memory.
  value: ofKind(
    'config',
    from(
      ({ value }: Override) => (value === null ? null : new StoredJson(value)),
      jsonField().describe("Only of kind config: any JSON value of the feature's value type."),
    ),
  ),
  expires_at: timeField().nullable().describe('From then on it does not count; null means never.'),
  note: textField(1, 500).optional().describe('Why it was set, or the link of a ticket; left out when there is none.'),
  ...timeFields,
}

export const overrideAnswer = defineAnswer<Override>(
  'Override',
  'Replaces, for one subscriber and one feature, what the plan grants, until it expires or is deleted.',
  overrideFields,
)

/** An override with the member who last put it; null when that is not known. */
export type OverrideWithSetter = Override & { setter: ActingMember | null }

export const overrideWithSetterAnswer = defineAnswer<OverrideWithSetter>(
  'OverrideWithSetter',
  'An override, and who last put it.',
  {
    ...overrideFields,
    set_by: from(
      ({ setter }: OverrideWithSetter) => setter && actingMemberAnswer.toBody(setter),
      actingMemberAnswer.schema.nullable().describe('Who last put it; null when that is not known.'),
    ),
  },
)

/** The overrides with their setters: one statement more. */
export async function withSetters(db: Queries, overrides: readonly Override[]): Promise<OverrideWithSetter[]> {
  const [first] = overrides
  if (!first) return []
  const setters = await loadActingMembers(db, first.organizationId, [
    ...new Set(overrides.flatMap(({ setBy }) => setBy ?? [])),
  ])
  return overrides.map((override) => ({ ...override, setter: setters.get(override.setBy ?? '') ?? null }))
}

export const overridesAnswer = listOf('overrides', overrideAnswer, highestCaps.features)

/** For selects in SQL. */
export const overrideColumns = Prisma.raw(
  'organization_id as "organizationId", subscriber_id as "subscriberId", feature_key as "featureKey", override_id as id, ' +
    'kind, allowed, "limit", value, expires_at as "expiresAt", expiry_marked as "expiryMarked", note, set_by as "setBy", ' +
    'created_at as "createdAt", updated_at as "updatedAt"',
)

export function toOverrideValue({
  kind,
  allowed,
  limit,
  value,
}: Pick<Override, 'kind' | 'allowed' | 'limit' | 'value'>): OverrideValue {
  switch (kind) {
    case 'flag':
      return { kind, allowed: allowed as boolean }
    case 'limit':
      return { kind, limit: limit === null ? null : Number(limit) }
    case 'config':
      return { kind, value: JSON.parse(value as string) }
  }
}

export function toStoredOverride(override: Override): StoredOverride {
  const { expiresAt, expiryMarked } = override
  return { value: toOverrideValue(override), expiresAt, expiryMarked }
}

type Place = Pick<Override, 'organizationId' | 'subscriberId' | 'featureKey'>

/** `lockedAt` is the database's time once the override is locked. */
export type HeldOverride = { override: Override | null; lockedAt: Date; otherBytes: number }

/**
 * Locks the override, if it exists, so that its expiry is not notified meanwhile, and reads it with the bytes of the values
 * of the subscriber's other overrides. The caller holds the subscriber's lock. 404 if the key is none of a feature.
 */
export async function lockOverride(sql: Sql, place: Place): Promise<HeldOverride> {
  if (!keyPattern.test(place.featureKey)) throw notFound('override', place.featureKey)
  const [row] = await sql.query<Nullable<Override> & Omit<HeldOverride, 'override'>>(Prisma.sql`
    with held as materialized (
      select ${overrideColumns} from override
       where organization_id = ${place.organizationId} and subscriber_id = ${place.subscriberId}
         and feature_key = ${place.featureKey}
         for update)
    select clock_timestamp() as "lockedAt",
           (select coalesce(sum(octet_length(value)), 0)::float8 from override
             where organization_id = ${place.organizationId} and subscriber_id = ${place.subscriberId}
               and feature_key <> ${place.featureKey}) as "otherBytes",
           held.*
      from (select count(*) from held) locked left join held on true`)
  const { lockedAt, otherBytes, ...held } = row as NonNullable<typeof row>
  return { override: held.id === null ? null : (held as Override), lockedAt, otherBytes }
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

export function insertOverride(override: Override): Prisma.Sql {
  const { organizationId, subscriberId, featureKey, id, kind, allowed, limit, value } = override
  const { expiresAt, expiryMarked, note, setBy, createdAt, updatedAt } = override
  return Prisma.sql`
    insert into override (organization_id, subscriber_id, feature_key, override_id, kind, allowed, "limit", value,
                          expires_at, expiry_marked, note, set_by, created_at, updated_at)
    values (${organizationId}, ${subscriberId}, ${featureKey}, ${id}, ${kind}, ${allowed}, ${limit}, ${value},
            ${expiresAt}, ${expiryMarked}, ${note}, ${setBy}, ${createdAt}, ${updatedAt})`
}

export function updateOverride(override: Override): Prisma.Sql {
  const { kind, allowed, limit, value, expiresAt, expiryMarked, note, setBy, updatedAt } = override
  return Prisma.sql`
    update override
       set kind = ${kind}, allowed = ${allowed}, "limit" = ${limit}, value = ${value}, expires_at = ${expiresAt},
           expiry_marked = ${expiryMarked}, note = ${note}, set_by = ${setBy}, updated_at = ${updatedAt}
     where organization_id = ${override.organizationId} and subscriber_id = ${override.subscriberId}
       and feature_key = ${override.featureKey}`
}

export function deleteStatement({ organizationId, subscriberId, featureKey }: Place): Prisma.Sql {
  return Prisma.sql`
    delete from override
     where organization_id = ${organizationId} and subscriber_id = ${subscriberId} and feature_key = ${featureKey}`
}

/** One event for all of these features. */
export function overridesStale(
  { organizationId, subscriberId }: Omit<Place, 'featureKey'>,
  features: readonly string[],
  now: Date,
): NewEvent {
  return newEvent(organizationId, now, { type: 'entitlements.stale', subscriberId, cause: 'override', features })
}

/** The overrides that are live at an instant: from its `expires_at` on, an override is not. */
export function liveAt(now: Date) {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
}
