import { FairQueue } from '../core/fair-queue.ts'

/** Hashing a password, in turns by the caller's address. */
export type PasswordWork = Pick<FairQueue, 'run'>

/**
 * Each hash takes a core for about 30 ms, 19 MiB, and one of the few threads that the process has for files and names.
 * However many sign in at once and from wherever, only `atOnce` are at it: evals of others keep their time.
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
