import { FairQueue } from '../core/fair-queue.ts'

/** Hashes passwords, alternating between the callers' addresses. */
export type PasswordWork = Pick<FairQueue, 'run'>

/**
 * Each hash takes a core for about 30 ms, 19 MiB, and one of the few threads that the process has for files and names.
 * However many sign in at once and from wherever, only `atOnce` hashes run: evals of others are not delayed.
 */
export function createPasswordWork(atOnce: number): PasswordWork {
  return new FairQueue({
    atOnce,
    atOnceOfOne: atOnce,
    waitingOfOne: 50,
    waiting: 300,
    maxWaitMs: 10_000,
    maxStallMs: 10_000,
  })
}
