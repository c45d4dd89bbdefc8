import { currentTime } from '../src/core/clock.ts'

/**
 * The clock by which a worker sends, expires and prunes. Tests move both of its times together, so that long waits take no
 * time. Leases and time-outs always use the real clock.
 */
export type Clock = {
  /** The database's time as this process knows it, for the timestamp of an attempt. */
  now(): Date
  /**
   * A SQL expression for the database's time when the statement began. It calls a stable function, whose value PostgreSQL's
   * planner knows: with `clock_timestamp()`, PostgreSQL would read all rows, and with a subquery, the planner might choose a
   * less suitable index.
   */
  sql(): string
}

export const systemClock: Clock = {
  now: currentTime,
  sql: () => 'statement_timestamp()',
}
