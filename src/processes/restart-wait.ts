const maxMs = 30_000

/**
 * How long to wait before an ended API process is started again; `ends` is the number of processes that ended in the last
 * minute, including this one. There is no wait after a single end. After more ends, the waits grow, so that processes that fail
 * at startup do not keep the machine busy.
 */
export function restartWaitMs(ends: number): number {
  return ends <= 1 ? 0 : Math.min(maxMs, 500 * 2 ** (ends - 2))
}
