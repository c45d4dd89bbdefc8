const seconds = 1000

/**
 * How long anything on the database is waited for. A request is answered within ten seconds in any outage: in one that
 * begins while it waits, by the first of these; a write, which waits several times, by the budget of run-recorded.ts.
 */
export const limits = {
  /** For a connection: for one of the pool, or for a new one. */
  connectTimeoutMs: 3 * seconds,
  /** For the answer to one statement, on this side. The server ends it earlier, unless not even that gets through. */
  queryTimeoutMs: 6 * seconds,
  /** For a transaction whose writer does not say how long. */
  transactionTimeoutMs: 6 * seconds,
} as const

/**
 * What the server ends by itself, also for a process that stands still with a row locked. A transaction whose COMMIT was
 * lost on the way ends before its writer stops reading the entry back, so that the writer knows.
 */
export const serverLimits = {
  statement_timeout: 5.5 * seconds,
  lock_timeout: 5 * seconds,
  idle_in_transaction_session_timeout: 5 * seconds,
} as const

/** One message, and so no round trip more than BEGIN. */
export const beginWithLimits = [
  'BEGIN',
  ...Object.entries(serverLimits).map(([name, limitMs]) => `SET LOCAL ${name} = ${limitMs}`),
].join('; ')
