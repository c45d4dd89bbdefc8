import pg from 'pg'
import { DomainError, unavailable } from '../core/errors.ts'

/**
 * Converts any error to the refusal that answers it. An unexpected error becomes a 503 if the database caused it, otherwise a
 * 500.
 */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (isOutage(error))
    return unavailable('The service cannot use its database right now. Try again in a moment.', error)
  return new DomainError(
    'INTERNAL_ERROR',
    'Something failed on our side. Quote the request id to support.',
    null,
    error,
  )
}

/**
 * Whether the database, or the connection to it, caused the error, so that a retry may help. The lists below name the
 * service's own faults, because an unavailable database causes many errors, and each version of PostgreSQL adds some.
 */
export function isOutage(error: unknown): boolean {
  return faultOf(error) === 'database'
}

/**
 * SQLSTATE classes of a wrong statement, value or constraint, for which a retry would fail again. Class 54 is included except
 * for 54000, which may also mean that no more transaction numbers are available.
 */
const callerErrorStates = /^(0A|20|21|22|23|2F|38|39|3F|42|44|54(?!000)|P0)/

/**
 * Prisma's P2… codes report wrong queries and values, except for these, which the database or the connection to it can cause.
 */
const outageCodes = new Set(['P2010', 'P2024', 'P2028', 'P2034', 'P2036', 'P2037'])

const programmingErrors = [TypeError, RangeError, ReferenceError, SyntaxError]

/**
 * Errors that are marked as errors of the database, because the driver's own errors have neither a class nor a code. Prisma
 * passes on the same error object.
 */
const databaseErrors = new WeakSet<Error>()

export function markDatabaseError(error: unknown): void {
  if (error instanceof Error) databaseErrors.add(error)
}

/**
 * Whether PostgreSQL answered that it refused the statement. After any other error the outcome is unknown: a connection that
 * ends reports FATAL, or nothing.
 */
export function isAnswered(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR'
}

/**
 * Whether a named statement is missing on this connection to the server, or another process has already prepared it there:
 * behind a pooler, each transaction may run on another connection. PostgreSQL has then not executed the statement.
 */
export function isStatementLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05')
}

/** Whether PostgreSQL had no disk space for the statement: the error itself, or one of its causes, says so. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return sqlStateOf(error) === '53100' || isDiskFull(error.cause)
}

/** The SQLSTATEs of a database that is read-only, has a full disk, or has no transaction numbers left. */
const writeRefusedStates = new Set(['25006', '53100', '54000'])

/** Whether PostgreSQL refused the statement because it takes no writes, while reads may still work. */
export function isWriteRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && writeRefusedStates.has(error.code ?? '')
}

/** Whether a limit on connections was reached: of the server, the database, the role or a PgBouncer. */
export function isServerFull(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return error.code === '53300' || /^no more connections allowed/.test(error.message)
}

/** The driver's error when an answer does not arrive in time. */
export function createReadTimeoutError(): Error {
  return new Error('Query read timeout')
}

export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

function faultOf(error: unknown): 'ours' | 'database' | undefined {
  if (!(error instanceof Error)) return undefined
  const state = sqlStateOf(error)
  if (state !== undefined) return callerErrorStates.test(state) ? 'ours' : 'database'
  if (programmingErrors.some((each) => error instanceof each)) return 'ours'
  if (error.name.startsWith('PrismaClient')) return faultOfPrisma(error)
  if (error.name === 'DriverAdapterError' || databaseErrors.has(error)) return 'database'
  return error.cause === error ? undefined : faultOf(error.cause)
}

function faultOfPrisma(error: Error & { code?: unknown }): 'ours' | 'database' {
  if (error.name === 'PrismaClientValidationError') return 'ours'
  const { code } = error
  return typeof code === 'string' && code.startsWith('P2') && !outageCodes.has(code) ? 'ours' : 'database'
}

/**
 * The SQLSTATE of a PostgreSQL error, even if Prisma wrapped it: as the cause of an error of Prisma's adapter, which may itself
 * be in the `meta` of a Prisma error.
 */
function sqlStateOf(error: Error & { code?: unknown; meta?: unknown }): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code
  const { driverAdapterError } = (error.meta ?? {}) as { driverAdapterError?: Error }
  const { originalCode } = ((driverAdapterError ?? error).cause ?? {}) as { originalCode?: unknown }
  return typeof originalCode === 'string' ? originalCode : undefined
}
