/** The part of a limit on several processes together that each of them gets: at least 1. */
export function perProcessLimit(limit: number, processes: number): number {
  return Math.max(1, Math.ceil(limit / processes))
}
