import { z } from 'zod'
import { asScalar } from './field-type.ts'
import { keyPattern } from './fields.ts'
import { ulidPattern } from './ids.ts'

/* The types of answer fields, as clients read them. Each noun adds the meaning of its field with `describe`. */

export function idField() {
  return asScalar('ID', z.string().regex(ulidPattern))
}

/** A key that people chose. */
export function keyField() {
  return asScalar('ID', z.string().regex(keyPattern))
}

/** An id or key of any form; JSON Schema counts characters as we do, in code points. */
export function nameField(max: number) {
  return asScalar('ID', textField(1, max))
}

export function textField(min: number, max: number) {
  return z
    .string()
    .refine((text) => text.length >= min && [...text].length <= max)
    .meta({ minLength: min, maxLength: max })
}

/** In canonical UTC, with milliseconds. */
export function timeField() {
  return asScalar('DateTime', z.iso.datetime({ precision: 3 }))
}

/** Fits a GraphQL Int: no count here is larger. */
export function countField(min = 0) {
  return z.int().min(min).max(2_147_483_647)
}

/** Any integer that JSON numbers represent exactly. */
export function largeCountField() {
  return asScalar('SafeInt', z.int().min(0))
}

/** Any JSON value except null. */
export function jsonField() {
  return asScalar(
    'JSON',
    z
      .unknown()
      .refine((value) => value !== undefined && value !== null)
      .meta({ type: ['string', 'number', 'boolean', 'object', 'array'] }),
  )
}

/** The timestamps of most objects. */
export const timeFields = {
  created_at: timeField().describe('When it was created.'),
  updated_at: timeField().describe('When it last changed.'),
}
