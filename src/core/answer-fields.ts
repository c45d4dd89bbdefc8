import { z } from 'zod'
import { asScalar } from './field-type.ts'
import { keyPattern, maxNameLength } from './fields.ts'
import { ulidPattern } from './ids.ts'
import { isPlainObject } from './json.ts'

/* The types of answer fields, as clients read them. Each resource adds the meaning of its field with `describe`. */

export function idField() {
  return asScalar('ID', z.string().regex(ulidPattern))
}

/** A key that people chose. */
export function keyField() {
  return asScalar('ID', z.string().regex(keyPattern))
}

/** An id or key in any format. */
export function anyIdField() {
  return asScalar('ID', nameField())
}

export function positionField() {
  return asScalar('Float', z.number().optional().describe('The position in lists that people see, if one was set.'))
}

/** A name that people read. */
export function nameField() {
  return textField(1, maxNameLength)
}

/** Lengths are in code points, as in JSON Schema. */
export function textField(min: number, max: number) {
  return z
    .string()
    .refine((text) => text.length >= min && [...text].length <= max)
    .meta({ minLength: min, maxLength: max })
}

/** A time in canonical UTC, with milliseconds. */
export function timeField() {
  return asScalar('DateTime', z.iso.datetime({ precision: 3 }))
}

/** A count that always fits a GraphQL Int. */
export function countField(min = 0) {
  return z.int().min(min).max(2_147_483_647)
}

/** A count that may exceed a GraphQL Int, up to 2^53 - 1, which JSON numbers represent exactly. */
export function largeCountField() {
  return asScalar('SafeInt', z.int().min(0))
}

/** Any JSON value but null, as a named JSON Schema, so that generated clients have one type for all such values. */
export const jsonValueSchema = {
  id: 'JsonValue',
  anyOf: [
    { type: 'string', maxLength: 65_536 },
    { type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'boolean' },
    { type: 'object', additionalProperties: true },
    { type: 'array', items: {} },
  ],
}

/** Created once: all schemas of an answer with the same id must be the same object. */
const jsonValue = z
  .unknown()
  .refine((value) => value !== undefined && value !== null)
  .meta({ ...jsonValueSchema, description: 'Any JSON value but null.' })

/** A value of a config feature: any JSON value but null. */
export function jsonField() {
  return asScalar('JSON', jsonValue)
}

/** Any JSON object. */
export function jsonObjectField() {
  return asScalar('JSON', z.unknown().refine(isPlainObject).meta({ type: 'object', additionalProperties: true }))
}

/** The timestamps of most objects. */
export const timeFields = {
  created_at: timeField().describe('When it was created.'),
  updated_at: timeField().describe('When it last changed.'),
}
