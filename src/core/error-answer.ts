import { z } from 'zod'
import { textField } from './answer-fields.ts'
import {
  type ErrorCode,
  type ForeignCode,
  maxFieldErrors,
  maxQuotedLength,
  type OwnCode,
  statusByCode,
} from './errors.ts'
import { toPascalCase } from './names.ts'

const quotedText = textField(0, maxQuotedLength + 1)

/** Any JSON value, from the request or the database. */
const anyValue = z
  .unknown()
  .describe('The value in the request, or the stored value that conflicts with it. Any JSON value.')

/** The schema of `details` for each error code that any route may return. Contract: Errors 3. */
const detailsByCode: Partial<Record<ErrorCode, z.ZodType>> = {
  VALIDATION_ERROR: z.strictObject({
    fields: z
      .array(
        z.strictObject({
          path: quotedText.describe('The field, such as grants.seats.limit; empty for the whole body.'),
          message: quotedText.describe('What is allowed in the field.'),
        }),
      )
      .min(1)
      .max(maxFieldErrors)
      .describe('An error for each invalid field.'),
  }),
  NOT_FOUND: z
    .strictObject({
      resource: textField(1, 64).describe('The type of the missing object, in snake case.'),
      id: quotedText.nullable().describe('The requested id; null if there is none, or if it is a secret.'),
    })
    .nullable(),
  CONFLICT: z.strictObject({
    field: textField(1, 64).describe('The field that conflicts.'),
    value: anyValue,
  }),
  FORBIDDEN: z
    .strictObject({
      required_labels: z
        .array(textField(1, 64))
        .max(100)
        .describe('The labels that allow the request: the caller needs one of them.'),
    })
    .nullable(),
  RATE_LIMITED: z.strictObject({
    retry_after_seconds: z.int().min(0).max(86_400).describe('The same as in the Retry-After header.'),
  }),
}

export type AnyCode = ErrorCode | OwnCode | ForeignCode

/** The schema of the body of an error with this code. */
export function errorBodySchema(code: AnyCode): z.ZodType {
  if (isForeignCode(code)) return code.schema
  const name = codeOf(code)
  const details = typeof code === 'string' ? (detailsByCode[code] ?? z.null()) : code.details
  return z
    .strictObject({
      error: z.strictObject({
        type: z.literal(statusOf(code) < 500 ? 'invalid_request_error' : 'api_error'),
        code: z.literal(name),
        message: z
          .string()
          .max(10 * maxQuotedLength)
          .describe('What to do next.'),
        request_id: z
          .string()
          .regex(/^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
          .describe('The same as in the X-Request-Id header.'),
        details: details.describe('More information, depending on the code.'),
      }),
    })
    .meta({ id: errorName(name), description: `The error ${name}.` })
}

/** The name of an error's schema, such as `ConflictError`. */
export function errorName(code: string): string {
  return `${toPascalCase(code.toLowerCase()).replace(/Error$/, '')}Error`
}

export function isForeignCode(code: AnyCode): code is ForeignCode {
  return typeof code !== 'string' && 'toBody' in code
}

export function codeOf(code: AnyCode): string {
  return typeof code === 'string' ? code : code.code
}

export function statusOf(code: AnyCode): number {
  return typeof code === 'string' ? statusByCode[code] : code.status
}
