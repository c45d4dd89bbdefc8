/**
 * The one place where a worker takes the time that events are due, expire and are pruned by. Tests move both hands
 * together, so that the long waits run through the same code. Leases and time-outs stay on the real clock.
 */
export type Clock = {
  /** This process's clock: for the timestamp that an attempt carries. */
  now(): Date
  /** A SQL expression for the database's clock, taken at each statement. */
  sql(): string
}

export const systemClock: Clock = {
  now: () => new Date(),
  sql: () => 'clock_timestamp()',
}
