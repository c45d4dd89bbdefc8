const maxMs = 30_000

/**
 * How long to wait before an API process that ended is started again; `ends` is the number of processes that ended in the last
 * minute, including this one. There is no wait after a single end; after more ends, waits keep processes that end as soon as
 * they start from using up the machine.
 */
export function restartWaitMs(ends: number): number {
  return ends <= 1 ? 0 : Math.min(maxMs, 500 * 2 ** (ends - 2))
}
