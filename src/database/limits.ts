const seconds = 1000

/**
 * The time limits of every wait for the database. During any outage, a request must be answered within ten seconds: these
 * limits ensure it for requests that wait once, and write-budget.ts ensures it for writes, which wait several times.
 */
export const limits = {
  /** The wait for a connection, whether from the pool or new. */
  connectTimeoutMs: 3 * seconds,
  /** The wait for the answer to one statement. It is reached only if no answer arrives: the server's own limit is shorter. */
  queryTimeoutMs: 6 * seconds,
  /** The time limit of a transaction that sets none itself. */
  transactionTimeoutMs: 6 * seconds,
} as const

/**
 * The server's own limits, which also apply when a process freezes while it holds a row lock. A transaction whose COMMIT was
 * lost ends while its writer is still trying to read the audit entry, so that the writer finds out the outcome.
 */
export const serverLimits = {
  statement_timeout: 5.5 * seconds,
  lock_timeout: 5 * seconds,
  idle_in_transaction_session_timeout: 5 * seconds,
} as const

/** Sent as one message, so that it takes no more round trips than BEGIN. */
export const beginWithLimits = [
  'BEGIN',
  ...Object.entries(serverLimits).map(([name, limitMs]) => `SET LOCAL ${name} = ${limitMs}`),
].join('; ')
