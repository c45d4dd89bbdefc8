import { perProcessLimit } from './core/per-process-limit.ts'

/** The minimum for each API process: its share of 20 connections could be too small for its queues. */
const minConnections = 10

/**
 * The connections of an API process: `queued` are for reads and writes, `lookups` for known callers and as many for anonymous
 * clients, one is for evals, one for snapshots of many subscribers, and the others for large reads of evals and periodic work.
 * With PROCESSES, each process gets its part.
 */
export function connectionsOf(processes: number): { all: number; queued: number; lookups: number } {
  return {
    all: Math.max(minConnections, perProcessLimit(20, processes)),
    queued: perProcessLimit(12, processes),
    lookups: perProcessLimit(2, processes),
  }
}
