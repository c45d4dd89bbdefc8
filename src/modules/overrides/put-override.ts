import { z } from 'zod'
import { conflict, validationError } from '../../core/errors.ts'
import { allowedBy, note } from '../../core/field-type.ts'
import { cap, text, timestamp } from '../../core/fields.ts'
import { newId } from '../../core/ids.ts'
import { defineInput } from '../../core/input.ts'
import { toObject } from '../../core/json.ts'
import { nextUpdatedAt } from '../../core/timestamp.ts'
import type { FeatureKind } from '../../database/generated/enums.ts'
import { assertUnchanged } from '../../operation/expected.ts'
import { defineFastWrite, type Limits } from '../../operation/operation.ts'
import { describeChanges } from '../../recording/details.ts'
import {
  configValue,
  type Feature,
  featureKind,
  featureKinds,
  findValueFault,
  lockFeature,
} from '../features/feature.ts'
import { lockSubscriber } from '../subscribers/subscriber.ts'
import {
  insertOverride,
  lockOverride,
  type Override,
  type OverrideValue,
  overrideAnswer,
  overrideStale,
  toOverrideValue,
  toStoredOverride,
  updateOverride,
} from './override.ts'
import { judgeChange } from './override-in-force.ts'

/** The field that each kind has, in addition to `kind` and `expires_at`. */
const fieldByKind: Record<FeatureKind, 'allowed' | 'limit' | 'value'> = {
  flag: 'allowed',
  limit: 'limit',
  config: 'value',
}

/** The shape of an override of each kind, for people who send the fields of a grant. */
const examples: Record<FeatureKind, string> = {
  flag: '{"kind":"flag","allowed":true}',
  limit: '{"kind":"limit","limit":5}',
  config: '{"kind":"config","value":"eu-west"}',
}

const shape = {
  kind: note(featureKind(), { meaning: "The feature's own kind." }),
  allowed: note(z.boolean().describe('true or false').optional(), { meaning: 'Required for the kind flag.' }),
  limit: note(cap().optional(), { meaning: 'Required for the kind limit.' }),
  value: note(configValue().optional(), { meaning: 'Required for the kind config.' }),
  expires_at: timestamp()
    .nullable()
    .optional()
    .describe('an RFC 3339 timestamp that exists, such as 2027-01-31T09:00:00Z, or null for no expiry'),
  note: text(1, 500).nullable().optional(),
  expected_updated_at: timestamp()
    .nullable()
    .optional()
    .describe("the override's updated_at as you read it, or null when there was none"),
}

const input = defineInput(shape, {
  unknown: 'reject',
  variants: { by: 'kind', fields: toObject(Object.entries(fieldByKind).map(([kind, field]) => [kind, [field]])) },
  rules(body, report) {
    const kind = body.kind as FeatureKind
    const fields = Object.values(fieldByKind)
    if (!featureKinds.includes(kind)) {
      // There is no branch to check: only the kind is refused.
      for (const field of fields) report(field, null)
      return
    }
    for (const field of fields) {
      const isWanted = field === fieldByKind[kind]
      const isSent = body[field] !== undefined
      const example = `an override of a ${kind} is ${examples[kind]}`
      if (isWanted && !isSent) {
        report(field, `${field} is required for kind ${kind}: ${allowedBy(shape[field])}; ${example}.`)
      }
      if (!isWanted && isSent) report(field, `${field} is not allowed for kind ${kind}: ${example}.`)
    }
  },
})

export const putOverride = defineFastWrite({
  name: 'putOverride',
  summary: 'Create or replace the override of a subscriber for one feature.',
  method: 'PUT',
  route: '/org/subscribers/{subscriber_id}/overrides/{feature_key}',
  service: 'api',
  labels: ['overrides:write'],
  status: 200,
  input,
  answer: overrideAnswer,
  refusals: ['CONFLICT'],
  hold: (sql, { organizationId, path: { subscriber_id: subscriberId, feature_key: featureKey } }) => [
    lockSubscriber(sql, organizationId, subscriberId),
    // A shared lock, so that neither the feature nor an option is removed while this refers to it.
    lockFeature(sql, organizationId, featureKey, 'share'),
    lockOverride(sql, { organizationId, subscriberId, featureKey }),
  ],
  decide([subscriber, feature, held], { now, organizationId, memberId, input, limits }) {
    const value = toValue(input)
    assertFits(feature, value)
    const { override: existing, lockedAt, otherBytes } = held
    const { expires_at: expiresAt = null, note = null, expected_updated_at: expected } = input
    assertUnchanged('override', existing, expected)

    const columns = toColumns(value)
    assertBytesFit({ otherBytes, before: existing?.value ?? null, after: columns.value, limits })
    const before = existing && toStoredOverride(existing)
    const { isEvent, expiryMarked } = judgeChange(before, { value, expiresAt }, lockedAt)
    const place = { organizationId, subscriberId: subscriber.id, featureKey: feature.key }
    const data = { ...columns, expiresAt, expiryMarked, note, setBy: memberId }
    const ledTo = {
      events: isEvent ? [overrideStale(place, lockedAt)] : [],
      jobs: expiresAt && !expiryMarked ? [{ queue: 'override.expire' as const, startAfter: expiresAt }] : [],
    }
    if (!existing) {
      const override = { ...place, id: newId(), ...data, createdAt: now, updatedAt: now }
      const details = { override_id: override.id, ...toDetails(override), ...(note !== null && { note }) }
      return { result: override, createdId: override.id, details, writes: [insertOverride(override)], ...ledTo }
    }

    const updated = { ...existing, ...data, updatedAt: nextUpdatedAt(existing, now) }
    const details = describeChanges({ ...toDetails(existing), note: existing.note }, { ...toDetails(updated), note })
    if (!details) return { result: existing, details }
    return { result: updated, details, writes: [updateOverride(updated)], ...ledTo }
  },
})

/** The value and its end, as the audit log words them. */
function toDetails(override: Override): Record<string, unknown> {
  return { ...toOverrideValue(override), expires_at: override.expiresAt?.toISOString() ?? null }
}

function toValue({ kind, allowed, limit, value }: ReturnType<typeof input.parse>): OverrideValue {
  switch (kind) {
    case 'flag':
      return { kind, allowed: allowed as boolean }
    case 'limit':
      return { kind, limit: limit as number | null }
    case 'config':
      return { kind, value }
  }
}

function toColumns(value: OverrideValue): Pick<Override, 'kind' | 'allowed' | 'limit' | 'value'> {
  return {
    kind: value.kind,
    allowed: value.kind === 'flag' ? value.allowed : null,
    limit: value.kind === 'limit' && value.limit !== null ? BigInt(value.limit) : null,
    value: value.kind === 'config' ? JSON.stringify(value.value) : null,
  }
}

/** 409 when the values of the subscriber's overrides would grow above the cap. */
function assertBytesFit(change: {
  otherBytes: number
  before: string | null
  after: string | null
  limits: Limits
}): void {
  const { otherBytes, before, after, limits } = change
  const bytes = Buffer.byteLength(after ?? '')
  if (otherBytes + bytes <= limits.maxOverrideBytes || bytes <= Buffer.byteLength(before ?? '')) return
  throw conflict(
    { field: 'override_bytes', value: limits.maxOverrideBytes },
    `The values of a subscriber's overrides have at most ${limits.maxOverrideBytes} bytes together. Shorten or delete some, or have MAX_OVERRIDE_BYTES raised on the server.`,
  )
}

/** 422 when the feature has another kind or does not accept the value. */
function assertFits(feature: Feature, value: OverrideValue): void {
  if (feature.kind !== value.kind) {
    throw validationError([{ path: 'kind', message: `kind must be ${feature.kind}, as feature "${feature.key}" is.` }])
  }
  if (value.kind !== 'config') return
  const fault = findValueFault(feature, value.value)
  if (fault) throw validationError([{ path: 'value', message: `value ${fault}.` }])
}
