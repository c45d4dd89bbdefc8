import { DomainError, unavailable } from '../core/errors.ts'

/** SQLSTATE classes and codes of a database that is away, overloaded, or ended what it was doing: safe to try again. */
const outageStates = /^(08|53|57P|58|40001|40P01|55P03|57014|25P03)/
const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOENT'])
/** Prisma: cannot reach, timed out, closed the connection, no connection in time, transaction expired, conflict. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034'])
const messages =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|connection timeout/i

/** What a caller is told of an error that no operation made by name: 503 when the database is away, else 500. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (isOutage(error)) {
    return unavailable('The service cannot reach its database. Nothing was changed; try again in a moment.', error)
  }
  return new DomainError(
    'INTERNAL_ERROR',
    'Something failed on our side. Quote the request id to support.',
    null,
    error,
  )
}

export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, message, cause, meta } = error as { code?: unknown; message?: unknown; cause?: unknown; meta?: unknown }
  if (typeof code === 'string' && (outageStates.test(code) || socketCodes.has(code) || prismaCodes.has(code)))
    return true
  if (typeof message === 'string' && messages.test(message)) return true
  const { originalCode, driverAdapterError } = { ...(cause ?? {}), ...(meta ?? {}) } as Record<string, unknown>
  if (typeof originalCode === 'string' && outageStates.test(originalCode)) return true
  return (cause !== undefined && cause !== error && isOutage(cause)) || isOutage(driverAdapterError)
}
