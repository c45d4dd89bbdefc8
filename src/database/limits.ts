const seconds = 1000

/**
 * The time limits of every wait for the database. In any outage a request is answered within ten seconds: these limits
 * ensure that for a request that waits once, and the budget of run-recorded.ts for a write, which waits several times.
 */
export const limits = {
  /** The wait for a connection from the pool, or a new one. */
  connectTimeoutMs: 3 * seconds,
  /**
   * The wait for the answer to one statement. The server's own limit is shorter, so this one matters only if no answer arrives.
   */
  queryTimeoutMs: 6 * seconds,
  /** The limit for a transaction without its own. */
  transactionTimeoutMs: 6 * seconds,
} as const

/**
 * The server's own limits, which also apply when a process freezes while it holds a row lock. A transaction whose COMMIT was
 * lost ends before its writer stops reading the entry back, so that the writer learns the outcome.
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
