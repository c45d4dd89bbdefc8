import { conflict, validationError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import type { CurrentOverride } from '../../database/current-override.ts'
import { isLive } from '../../gate/resolution/entitlement.ts'
import { assertUnchanged } from '../../operation/expected-updated-at.ts'
import type { Limits } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import { type Feature, findValueFault } from '../features/feature.ts'
import { toStoredValue } from '../features/stored-value.ts'
import {
  type LockedOverride,
  type Override,
  type OverrideValue,
  overrideFields,
  toOverrideValue,
  toStoredOverride,
} from './override.ts'
import { classifyChange } from './override-in-force.ts'
import type { OverrideInput } from './override-input.ts'

type PutRequest = {
  feature: Feature
  subscriber: { organizationId: string; id: string }
  locked: LockedOverride
  input: OverrideInput
  /** The member who puts the override. */
  memberId: string
  limits: Pick<Limits, 'maxOverrideBytes'>
}

type PutOutcome = {
  /** The override afterwards. */
  override: CurrentOverride
  /** The changes to an existing override; null if nothing changed or it is new. */
  changes: Record<string, unknown> | null
  /** Whether the row is written because it is new or changed. */
  isWritten: boolean
  isEvent: boolean
  /** Whether only the `valid_until` of snapshots changes. */
  movesEnd: boolean
  /** The times of its start and expiry, if receivers are notified of them. */
  due: Date[]
}

/**
 * Computes the outcome of a put; the override is locked. Throws 422 if the feature does not accept the value, and 409 if the
 * existing override may not be replaced.
 */
export function computePut({ feature, subscriber, locked, input, memberId, limits }: PutRequest): PutOutcome {
  const value = toValue(input)
  assertFits(feature, value)
  const { override: existing, lockedAt, otherBytes } = locked
  // A put replaces the whole override, including fields that it leaves out.
  const newRow = overrideFields.toNewRow(input)
  const { expiresAt } = newRow
  const startsAt = newRow.startsAt && newRow.startsAt > lockedAt ? newRow.startsAt : null
  const fields = { ...newRow, startsAt, endsAt: null }
  assertUnchanged('override', existing, input.expected_updated_at)
  if (startsAt && existing && isLive(existing, lockedAt)) throw stillLive(feature, existing)

  const columns = { ...toStoredValue(value), allowed: value.kind === 'flag' ? value.allowed : null }
  assertBytesFit({ otherBytes, before: existing?.value ?? null, after: columns.value, limits })
  const before = existing && toStoredOverride(existing)
  const { isEvent, movesEnd, expiryMarked } = classifyChange(before, { value, startsAt, expiresAt }, lockedAt)
  const data = { ...columns, ...fields, expiryMarked, setBy: memberId }
  const due = expiryMarked ? [] : [startsAt, expiresAt].filter((time) => time !== null)
  if (!existing) {
    const rowKey = { organizationId: subscriber.organizationId, subscriberId: subscriber.id, featureKey: feature.key }
    const override = { ...rowKey, id: newId(), ...data, createdAt: lockedAt, updatedAt: lockedAt }
    return { override, changes: null, isWritten: true, isEvent, movesEnd, due }
  }
  const updated = { ...existing, ...data, isStartDue: false, updatedAt: nextUpdatedAt(existing, lockedAt) }
  const changes = describeChanges(toDetails(existing), toDetails(updated))
  return changes
    ? { override: updated, changes, isWritten: true, isEvent, movesEnd, due }
    : { override: existing, changes, isWritten: false, isEvent: false, movesEnd: false, due: [] }
}

function stillLive({ key }: Feature, { expiresAt }: Override) {
  return conflict(
    { field: 'starts_at', value: expiresAt?.toISOString() ?? null },
    `An override of feature "${key}" is live. Delete it first, or leave out starts_at to replace it now.`,
  )
}

/** The value and the other fields of an override, in the format of the audit log. */
function toDetails(override: Override): Record<string, unknown> {
  return { ...toOverrideValue(override), ...overrideFields.toDetails(override) }
}

/** An override in the format of the audit log: its value, its expiry, and its other fields that are set. */
export function toRecordedFields(override: Override): Record<string, unknown> {
  const { expires_at, ...fields } = overrideFields.toDetails(override)
  const setFields = Object.entries(fields).filter(([, value]) => value !== null)
  return { ...toOverrideValue(override), expires_at, ...Object.fromEntries(setFields) }
}

function toValue({ kind, allowed, limit, value }: OverrideInput): OverrideValue {
  switch (kind) {
    case 'flag':
      return { kind, allowed: allowed as boolean }
    case 'limit':
      return { kind, limit: limit as number | null }
    case 'config':
      return { kind, value }
  }
}

/** Throws 409 if the values of the subscriber's overrides would exceed the cap. */
function assertBytesFit(change: {
  otherBytes: number
  before: string | null
  after: string | null
  limits: PutRequest['limits']
}): void {
  const { otherBytes, before, after, limits } = change
  const bytes = Buffer.byteLength(after ?? '')
  if (otherBytes + bytes <= limits.maxOverrideBytes || bytes <= Buffer.byteLength(before ?? '')) return
  throw conflict(
    { field: 'override_bytes', value: limits.maxOverrideBytes },
    `The values of a subscriber's overrides may have at most ${limits.maxOverrideBytes} bytes in total. Shorten or delete some, or ask the operator of this server to raise MAX_OVERRIDE_BYTES.`,
  )
}

/** Throws 422 if the feature has another kind or does not accept the value. */
function assertFits(feature: Feature, value: OverrideValue): void {
  if (feature.kind !== value.kind) {
    throw validationError([
      { path: 'kind', message: `kind must be ${feature.kind}, the kind of feature "${feature.key}".` },
    ])
  }
  if (value.kind !== 'config') return
  const fault = findValueFault(feature, value.value)
  if (fault) throw validationError([{ path: 'value', message: `value ${fault}.` }])
}
