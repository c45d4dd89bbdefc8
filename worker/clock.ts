import { currentTime } from '../src/core/clock.ts'

/**
 * The clock by which a worker sends, expires and prunes. Tests move both parts together, so that long waits take no time.
 * Leases and time-outs always use the real clock.
 */
export type Clock = {
  /** The database's time as this process knows it, for the timestamp of an attempt. */
  now(): Date
  /**
   * A SQL expression for the database's clock, evaluated once in each statement. It is a subquery, because PostgreSQL cannot look
   * up rows in an index by the value of a volatile function, and would read all rows.
   */
  sql(): string
}

export const systemClock: Clock = {
  now: currentTime,
  sql: () => '(select clock_timestamp())',
}
