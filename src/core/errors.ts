import type { z } from 'zod'
import { toStorableText } from './json.ts'

/**
 * The error codes that any route may return, each with its HTTP status. A module may add codes (`OwnCode`). Contract: Errors.
 */
export const statusByCode = {
  INVALID_JSON: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof statusByCode

/** An error code that only one module's operations return, with the schema of its `details`. */
export type OwnCode = { code: string; status: number; details: z.ZodType }

/** An error code of another protocol, and the conversion of the service's errors to bodies of that protocol. */
export type ForeignCode = {
  code: string
  status: number
  schema: z.ZodType
  /** `path` has the values of the route's parameters. */
  toBody(error: DomainError, path: Readonly<Record<string, string>>): object
}

/** An expected refusal. The message says what to do next; the contract defines the shape of details for each code. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: string
  readonly status: number
  readonly details: Record<string, unknown> | null

  constructor(
    code: ErrorCode | Pick<OwnCode, 'code' | 'status'>,
    message: string,
    details: Record<string, unknown> | null = null,
    cause?: unknown,
  ) {
    super(message, { cause })
    this.code = typeof code === 'string' ? code : code.code
    this.status = typeof code === 'string' ? statusByCode[code] : code.status
    this.details = details
  }

  get type(): 'invalid_request_error' | 'api_error' {
    return this.status < 500 ? 'invalid_request_error' : 'api_error'
  }
}

/** Why the process could not accept a request; a label of the metric `requests_refused_total`. */
export const overloadReasons = [
  'too_many_waiting',
  'waited_too_long',
  'too_many_bytes',
  'too_many_places',
  'identity_provider',
  'broken_off',
  'stopping',
  'outdated',
  'moving',
] as const

type OverloadReason = (typeof overloadReasons)[number]

/** The error of a request that is refused to protect the process or its data. */
export class Overloaded extends DomainError {
  readonly reason: OverloadReason

  constructor(reason: OverloadReason, message: string, cause?: unknown) {
    super('SERVICE_UNAVAILABLE', message, null, cause)
    this.reason = reason
  }
}

export type FieldError = { path: string; message: string }

/** The maximum number of field errors in an answer. More would not help, and could take ten times the request's bytes. */
export const maxFieldErrors = 100

/** Errors truncate longer texts that they quote: such a text cannot be an id, and GraphQL may repeat it in many errors. */
export const maxQuotedLength = 32_768

/** The maximum total length of an answer's field errors, as each may quote the same long name. The first is never left out. */
const maxTotalLength = 65_536

export function shortenQuoted(text: string): string {
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength).toWellFormed()}…` : text
}

/** The first field's message is also the error's message: a client that shows only this message says what to correct. */
export function validationError(fields: readonly [FieldError, ...FieldError[]] | FieldError[]): DomainError {
  let length = 0
  const shown = fields
    .slice(0, maxFieldErrors)
    .map(({ path, message }) => ({ path: shortenQuoted(path), message: shortenQuoted(message) }))
    .filter(({ path, message }, index) => {
      length += path.length + message.length
      return index === 0 || length <= maxTotalLength
    })
  return new DomainError('VALIDATION_ERROR', shown[0]?.message ?? 'The request is not valid.', { fields: shown })
}

/** `resource` is in snake case; `requestedId` is null if there is no id, or if it would reveal a secret. */
export function notFound(resource: string, requestedId: string | null, message?: string): DomainError {
  const id = requestedId === null ? null : toStorableText(shortenQuoted(requestedId))
  const what = resource.replace('_', ' ')
  return new DomainError('NOT_FOUND', message ?? `There is no ${what}${id === null ? '' : ` "${id}"`} here.`, {
    resource,
    id,
  })
}

/** Returns the row, or throws 404 if there is none. */
export function requireFound<Row>(resource: string, id: string, row: Row | null | undefined | false): Row {
  if (!row) throw notFound(resource, id)
  return row
}

export function conflict(details: { field: string; value: unknown }, message: string): DomainError {
  return new DomainError('CONFLICT', message, details)
}

export function unauthorized(message = 'Send a valid API key in the X-API-Key header.'): DomainError {
  return new DomainError('UNAUTHORIZED', message)
}

/** The labels are in the details and not in the message. Contract: Errors 3. */
export function forbidden(requiredLabels: readonly string[]): DomainError {
  return new DomainError('FORBIDDEN', 'Your role does not allow this. Ask an admin of the organization.', {
    required_labels: requiredLabels,
  })
}

export function unavailable(message: string, cause?: unknown): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', message, null, cause)
}
