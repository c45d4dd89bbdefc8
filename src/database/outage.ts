import pg from 'pg'
import { DomainError, unavailable } from '../core/errors.ts'

/** What a caller is told of an error that no operation made by name: 503 when it is the database's, else 500. */
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
 * Whether the database, or the way to it, is why this failed, so that it is worth trying again. What is known to be our
 * own fault is listed here, not what a database may say: it has many words for being away, and new ones with each version.
 */
export function isOutage(error: unknown): boolean {
  return faultOf(error) === 'database'
}

/**
 * SQLSTATE classes of a wrong statement, value or constraint: tried again, it would fail again. Of class 54 not 54000,
 * which also says that no transactions can be numbered any more.
 */
const ourStates = /^(0A|20|21|22|23|2F|38|39|3F|42|44|54(?!000)|P0)/

/** Prisma's P2… codes are for wrong queries and values, but for these: no connection, transaction or server. */
const outageCodes = new Set(['P2010', 'P2024', 'P2028', 'P2034', 'P2036', 'P2037'])

const programmingErrors = [TypeError, RangeError, ReferenceError, SyntaxError]

/**
 * What the driver failed with. Its own errors have neither a class nor a code to know them by, but Prisma passes on the
 * very object.
 */
const databaseErrors = new WeakSet<Error>()

export function markDatabaseError(error: unknown): void {
  if (error instanceof Error) databaseErrors.add(error)
}

/** The driver waited for an answer until its time was over. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

function faultOf(error: unknown): 'ours' | 'database' | undefined {
  if (!(error instanceof Error)) return undefined
  const state = sqlStateOf(error)
  if (state !== undefined) return ourStates.test(state) ? 'ours' : 'database'
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

/** What PostgreSQL says by itself, or through Prisma's adapter: there as the cause of the error or of one in its `meta`. */
function sqlStateOf(error: Error & { code?: unknown; meta?: unknown }): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code
  const { driverAdapterError } = (error.meta ?? {}) as { driverAdapterError?: Error }
  const { originalCode } = ((driverAdapterError ?? error).cause ?? {}) as { originalCode?: unknown }
  return typeof originalCode === 'string' ? originalCode : undefined
}
