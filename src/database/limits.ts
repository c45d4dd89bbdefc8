const seconds = 1000

/**
 * The time limits of every wait for the database. In any outage a request is answered within ten seconds: if the outage
 * begins while it waits, by the first of these; a write, which waits several times, by the budget of run-recorded.ts.
 */
export const limits = {
  /** For a connection: one of the pool, or a new one. */
  connectTimeoutMs: 3 * seconds,
  /** For the answer to one statement, in this process. The server ends it earlier, unless even that does not arrive. */
  queryTimeoutMs: 6 * seconds,
  /** For a transaction without its own limit. */
  transactionTimeoutMs: 6 * seconds,
} as const

/**
 * The server's own limits, which also apply when a process freezes with a row locked. A transaction whose COMMIT was
 * lost ends before its writer stops reading the entry back, so that the writer learns the outcome.
 */
export const serverLimits = {
  statement_timeout: 5.5 * seconds,
  lock_timeout: 5 * seconds,
  idle_in_transaction_session_timeout: 5 * seconds,
} as const

/** One message, and so no more round trips than BEGIN. */
export const beginWithLimits = [
  'BEGIN',
  ...Object.entries(serverLimits).map(([name, limitMs]) => `SET LOCAL ${name} = ${limitMs}`),
].join('; ')
