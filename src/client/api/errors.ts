import type { components } from './generated/openapi.ts'

/** The objects of the REST API by name, such as `Schemas['Plan']`. */
export type Schemas = components['schemas']

type DetailsOf<Name extends keyof Schemas> = Schemas[Name] extends { error: { details: infer Details } }
  ? Details
  : never

/** The values from which an error is created. */
export type ErrorParts = {
  code: string
  message: string
  status?: number | null
  requestId?: string | null
  details?: unknown
  retryAfterSeconds?: number | null
  cause?: unknown
}

/** The service refused a request, or the request failed. The message says what to do next. */
export class EntitlementsError extends Error {
  /**
   * The code, such as `NOT_FOUND`. `UNEXPECTED_ANSWER`: the answer did not come from the service. Later versions of the service
   * may add codes.
   */
  readonly code: string
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null
  /** The id of the request, which the operator of the service can find in the log. */
  readonly requestId: string | null
  /** More information, depending on the code. */
  readonly details: unknown
  /** How long the service asks you to wait before the next attempt; null if it did not say. */
  readonly retryAfterSeconds: number | null

  constructor({ code, message, status, requestId, details, retryAfterSeconds, cause }: ErrorParts) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = nameOf(code)
    this.code = code
    this.status = status ?? null
    this.requestId = requestId ?? null
    this.details = details ?? null
    this.retryAfterSeconds = retryAfterSeconds ?? null
  }
}

/** The name of the class for a code. It is not read from the class itself, because bundlers shorten names. */
function nameOf(code: string): string {
  if (code === 'NO_ANSWER') return 'ConnectionError'
  if (code === 'TIMED_OUT') return 'TimeoutError'
  if (code === 'UNEXPECTED_ANSWER' || !(code in classes)) return 'EntitlementsError'
  const words = code.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase())
  return `${words.join('').replace(/Error$/, '')}Error`
}

/** The service could not parse the request. */
export class InvalidJsonError extends EntitlementsError {}

/** The key or token is missing, wrong, revoked or has expired. */
export class UnauthorizedError extends EntitlementsError {}

/** The caller's role does not allow this. */
export class ForbiddenError extends EntitlementsError {
  declare readonly details: DetailsOf<'ForbiddenError'>
}

/** The requested object does not exist. */
export class NotFoundError extends EntitlementsError {
  declare readonly details: DetailsOf<'NotFoundError'>
}

/** The change conflicts with the stored data, such as a key that is taken. */
export class ConflictError extends EntitlementsError {
  declare readonly details: DetailsOf<'ConflictError'>
}

/** The plan is archived. */
export class PlanArchivedError extends EntitlementsError {
  declare readonly details: DetailsOf<'PlanArchivedError'>
}

/** Plans or overrides still use an option that the change would remove. */
export class OptionInUseError extends EntitlementsError {
  declare readonly details: DetailsOf<'OptionInUseError'>
}

/** The request is too large. */
export class BodyTooLargeError extends EntitlementsError {}

/** The operation does not accept the body's media type. */
export class UnsupportedMediaTypeError extends EntitlementsError {}

/** Values of the request are missing or invalid. */
export class ValidationError extends EntitlementsError {
  declare readonly details: DetailsOf<'ValidationError'>
}

/** There were too many requests. */
export class RateLimitedError extends EntitlementsError {
  declare readonly details: DetailsOf<'RateLimitedError'>
}

/** The service failed because of a bug. */
export class InternalError extends EntitlementsError {}

/** The service cannot answer now. */
export class ServiceUnavailableError extends EntitlementsError {}

/** There was no answer: the service could not be reached, or the connection ended. */
export class ConnectionError extends EntitlementsError {}

/** There was no answer within the time limit. */
export class TimeoutError extends EntitlementsError {}

const classes: Record<string, new (parts: ErrorParts) => EntitlementsError> = {
  INVALID_JSON: InvalidJsonError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  CONFLICT: ConflictError,
  PLAN_ARCHIVED: PlanArchivedError,
  OPTION_IN_USE: OptionInUseError,
  BODY_TOO_LARGE: BodyTooLargeError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  VALIDATION_ERROR: ValidationError,
  RATE_LIMITED: RateLimitedError,
  INTERNAL_ERROR: InternalError,
  SERVICE_UNAVAILABLE: ServiceUnavailableError,
  NO_ANSWER: ConnectionError,
  TIMED_OUT: TimeoutError,
}

/** An error of the code's class, or a plain `EntitlementsError` for a code that this version does not know. */
export function errorOf(parts: ErrorParts): EntitlementsError {
  return new (classes[parts.code] ?? EntitlementsError)(parts)
}
