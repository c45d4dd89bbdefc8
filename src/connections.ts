import { perProcessLimit } from './core/per-process-limit.ts'

/** Of each API process, whose share of 20 would otherwise be too small for its queues. */
const minConnections = 10

/**
 * How an API process uses its connections: `queued` are for reads and writes, `lookups` for known callers and as many for
 * anonymous clients, one is for evals, one for snapshots of many subscribers, and the rest for evals' large data and periodic work. With
 * PROCESSES, each has its share.
 */
export function connectionsOf(processes: number): { all: number; queued: number; lookups: number } {
  return {
    all: Math.max(minConnections, perProcessLimit(20, processes)),
    queued: perProcessLimit(12, processes),
    lookups: perProcessLimit(2, processes),
  }
}
