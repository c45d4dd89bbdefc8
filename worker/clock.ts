import { currentTime } from '../src/core/clock.ts'

/**
 * The one clock by which a worker decides that events are due, expire and are pruned. Tests move both parts
 * together, so that the long waits run through the same code. Leases and time-outs stay on the real clock.
 */
export type Clock = {
  /** The database's time as this process knows it: for the timestamp that an attempt carries. */
  now(): Date
  /** A SQL expression for the database's clock, evaluated in each statement. */
  sql(): string
}

export const systemClock: Clock = {
  now: currentTime,
  sql: () => 'clock_timestamp()',
}
