import { z } from 'zod'
import { textField } from '../../src/core/answer-fields.ts'
import { type DomainError, type ForeignCode, maxQuotedLength, type OwnCode } from '../../src/core/errors.ts'
import { toStorableText } from '../../src/core/json.ts'

const key = textField(0, maxQuotedLength).describe('The key in the path.')
const errorDetails = z
  .string()
  .max(10 * maxQuotedLength)
  .describe('What to do next.')

const codes = ['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'GENERAL'] as const
const errorCode = z
  .enum(codes)
  .describe(
    '`PARSE_ERROR`: the request cannot be read. `TARGETING_KEY_MISSING`: the context does not name a subscriber. ' +
      '`INVALID_CONTEXT`: there is no such subscriber. `GENERAL`: anything else, such as a used-up allotment.',
  )

const evaluationFailure = z
  .strictObject({ key, errorCode, errorDetails })
  .meta({ id: 'evaluationFailure', description: 'A failure in the format of OFREP.' })

const flagNotFound = z
  .strictObject({ key, errorCode: z.literal('FLAG_NOT_FOUND'), errorDetails })
  .meta({ id: 'flagNotFound', description: 'The catalog has no feature with this key.' })

const bulkEvaluationFailure = z
  .strictObject({ errorCode, errorDetails })
  .meta({ id: 'bulkEvaluationFailure', description: 'A failure of a bulk evaluation in the format of OFREP.' })

type Code = (typeof codes)[number] | 'FLAG_NOT_FOUND'

function defineFailure(code: Code, status: number, schema: z.ZodType): ForeignCode {
  return { code, status, schema, toBody: ({ message }, path) => toBody(code, message, path) }
}

function toBody(errorCode: Code, errorDetails: string, path: Readonly<Record<string, string>>): object {
  if (path.key === undefined) return { errorCode, errorDetails }
  return { key: toStorableText(path.key), errorCode, errorDetails }
}

export const parseError: OwnCode = { code: 'PARSE_ERROR', status: 400, details: z.null() }
export const targetingKeyMissing: OwnCode = { code: 'TARGETING_KEY_MISSING', status: 400, details: z.null() }

/**
 * The answers in OFREP's format that replace the service's refusals. 401, 403 and 429 stay as they are. A used-up allotment is
 * not 429, because after a 429, OpenFeature's providers send no requests for any subscriber for a while.
 */
function toFailures(schema: z.ZodType): ReadonlyMap<DomainError['code'], ForeignCode> {
  const malformed = defineFailure('PARSE_ERROR', 400, schema)
  return new Map([
    ['INVALID_JSON', malformed],
    ['UNSUPPORTED_MEDIA_TYPE', malformed],
    ['VALIDATION_ERROR', malformed],
    [parseError.code, malformed],
    [targetingKeyMissing.code, defineFailure('TARGETING_KEY_MISSING', 400, schema)],
    ['NOT_FOUND', defineFailure('INVALID_CONTEXT', 400, schema)],
    ['CONFLICT', defineFailure('GENERAL', 400, schema)],
    ['BODY_TOO_LARGE', defineFailure('GENERAL', 413, schema)],
    ['INTERNAL_ERROR', defineFailure('GENERAL', 500, schema)],
    ['SERVICE_UNAVAILABLE', defineFailure('GENERAL', 503, schema)],
  ])
}

export const bulkFailures = toFailures(bulkEvaluationFailure)

/** A check refuses an unknown feature with VALIDATION_ERROR, which is 404 in OFREP. */
export const flagFailures = new Map([
  ...toFailures(evaluationFailure),
  ['VALIDATION_ERROR', defineFailure('FLAG_NOT_FOUND', 404, flagNotFound)],
])
