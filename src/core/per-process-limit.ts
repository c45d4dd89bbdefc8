/** What each of several processes gets of a limit on all of them together: at least 1. */
export function perProcessLimit(limit: number, processes: number): number {
  return Math.max(1, Math.ceil(limit / processes))
}
