import { z } from 'zod'
import { allowedBy, note } from '../../core/field-type.ts'
import { cap, timestamp } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { toObject } from '../../core/json.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import type { FeatureKind } from '../../database/generated/enums.ts'
import { configValue, featureKind, featureKinds } from '../features/feature.ts'
import { overrideFields } from './override.ts'

/** The value field of each kind. */
const fieldByKind: Record<FeatureKind, 'allowed' | 'limit' | 'value'> = {
  flag: 'allowed',
  limit: 'limit',
  config: 'value',
}

/** Examples of overrides, for people who send the fields of a grant. */
const examples: Record<FeatureKind, string> = {
  flag: '{"kind":"flag","allowed":true}',
  limit: '{"kind":"limit","limit":5}',
  config: '{"kind":"config","value":"eu-west"}',
}

export const overrideShape = {
  kind: note(featureKind(), { meaning: "The feature's kind." }),
  allowed: note(z.boolean().describe('true or false').optional(), { meaning: 'Required for the kind flag.' }),
  limit: note(cap().optional(), { meaning: 'Required for the kind limit.' }),
  value: note(configValue().optional(), { meaning: 'Required for the kind config.' }),
  ...overrideFields.input,
  expected_updated_at: timestamp()
    .nullable()
    .optional()
    .describe("the override's updated_at as you read it, or null when there was none"),
}

/** The input of a put: the value, the start and expiry, a note, and the version that the caller expects to replace. */
export const overrideInput = defineInput(overrideShape, {
  name: 'OverrideInput',
  unknown: 'reject',
  variants: { by: 'kind', fields: toObject(Object.entries(fieldByKind).map(([kind, field]) => [kind, [field]])) },
  rules(body, report) {
    const [startsAt, expiresAt] = [body.starts_at, body.expires_at].map(toTime)
    if (startsAt && expiresAt && startsAt >= expiresAt) report('starts_at', 'starts_at must be before expires_at.')
    const kind = body.kind as FeatureKind
    const fields = Object.values(fieldByKind)
    if (!featureKinds.includes(kind)) {
      // Without a valid kind, the other fields cannot be checked, so only the kind is refused.
      for (const field of fields) report(field, null)
      return
    }
    for (const field of fields) {
      const isExpected = field === fieldByKind[kind]
      const isSent = body[field] !== undefined
      const example = `an override of a ${kind} is ${examples[kind]}`
      if (isExpected && !isSent) {
        report(field, `${field} is required for kind ${kind}: ${allowedBy(overrideShape[field])}; ${example}.`)
      }
      if (!isExpected && isSent) report(field, `${field} is not allowed for kind ${kind}: ${example}.`)
    }
  },
})

function toTime(value: unknown): Date | null {
  return typeof value === 'string' ? parseTimestamp(value) : null
}

export type OverrideInput = ReturnType<typeof overrideInput.parse>
