const maxMs = 30_000

/**
 * How long to wait before an API process that ended is started again; `ends` counts those that ended in the last minute,
 * this one included. A first end costs no time; processes that end as soon as they start do not use up the machine.
 */
export function restartWaitMs(ends: number): number {
  return ends <= 1 ? 0 : Math.min(maxMs, 500 * 2 ** (ends - 2))
}
