import { z } from 'zod'
import { asScalar, note } from './field-type.ts'
import { ulidPattern } from './ids.ts'
import { refuse } from './issues.ts'
import { isStorableText } from './json.ts'
import { parseTimestamp } from './timestamp.ts'

/** Makes the fields of a create optional, for an update: fields that are left out do not change. */
export function optionalFields<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object(fields).partial().shape
}

/** The length in Unicode code points, which PostgreSQL also counts. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Whether a text has at most this many code points, each of which is one or two UTF-16 units. */
export function hasAtMostCharacters(text: string, maxLength: number): boolean {
  return text.length <= maxLength || (text.length <= 2 * maxLength && lengthOf(text) <= maxLength)
}

const unstorableMessage = 'must not contain U+0000 or unpaired surrogates.'

/**
 * A storable string of any length, for values that are only compared. The JSON Schema has `maxLength`, because no stored value
 * is longer.
 */
export function storableText(maxLength: number) {
  const schema = z.string().superRefine((value, context) => {
    if (!isStorableText(value)) refuse(context, unstorableMessage)
  })
  return schema.meta({ maxLength })
}

/** A string of min to max characters that can be stored. */
export function text(min: number, max: number) {
  const allowed = min === 0 ? `a string of at most ${max} characters` : `a string of ${min} to ${max} characters`
  return z
    .string()
    .superRefine((value, context) => {
      if (!isStorableText(value)) {
        refuse(context, unstorableMessage)
        return
      }
      if (!hasAtMostCharacters(value, max) || lengthOf(value) < min) refuse(context, `must be ${allowed}.`)
    })
    .describe(allowed)
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })
}

/** The maximum length of names that people read, and of ids and options that vendors choose. */
export const maxNameLength = 255

/** The sort position of an object in lists; null for none. */
export function position() {
  const meaning =
    'The position in lists that people see, such as those of the console: the smallest comes first. Null for no position.'
  return note(asScalar('Float', z.number().nullable().optional().describe('a finite number, or null')), { meaning })
}

export function name() {
  return text(1, maxNameLength)
}

/** The pattern of a key that people choose. */
export const keyPattern = /^[a-z0-9_-]{1,64}$/

/** Text in the format of a key that identifies no object, such as a category. */
export function slug() {
  return z.string().regex(keyPattern).describe('1 to 64 lower-case letters, digits, underscores or dashes')
}

/** An id that the service created. `whose` begins the description of the allowed values, such as "a member id". */
export function ulid(whose: string) {
  return z.string().regex(ulidPattern).describe(`${whose}: a ULID of 26 upper-case characters`)
}

export function key() {
  return asScalar('ID', slug())
}

/** A cap: an integer from 0, or null for unlimited. Converts -0 to 0. */
export function cap() {
  const schema = z
    .int()
    .min(0)
    .transform((value) => value + 0)
    .nullable()
    .describe('an integer from 0 to 9007199254740991, or null for unlimited')
  return asScalar('SafeInt', schema)
}

export function timestamp() {
  const schema = z
    .string()
    .transform((value, context) => {
      const instant = parseTimestamp(value)
      if (instant) return instant
      context.addIssue({ code: 'invalid_format', format: 'datetime', input: value })
      return z.NEVER
    })
    .describe('a valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z or 2027-01-31T10:00:00.5+01:00')
    .meta({ format: 'date-time' })
  return asScalar('DateTime', schema)
}
