/** Each process's share of a limit on all processes together: at least 1. */
export function perProcessLimit(limit: number, processes: number): number {
  return Math.max(1, Math.ceil(limit / processes))
}
