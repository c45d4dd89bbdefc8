/**
 * The one clock by which a worker decides that events are due, expire and are pruned. Tests move both parts
 * together, so that the long waits run through the same code. Leases and time-outs stay on the real clock.
 */
export type Clock = {
  /** This process's clock: for the timestamp that an attempt carries. */
  now(): Date
  /** A SQL expression for the database's clock, evaluated in each statement. */
  sql(): string
}

export const systemClock: Clock = {
  now: () => new Date(),
  sql: () => 'clock_timestamp()',
}
