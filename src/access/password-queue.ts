import { networkOf } from '../core/network.ts'
import { FairQueue } from '../fairness/fair-queue.ts'

/** `person` is the claimed user id if that person signed in before from this network or browser; otherwise null. */
type PasswordSender = { ip: string; person: string | null }

/** Hashes passwords, alternating between people who signed in before and anonymous clients. */
export type PasswordQueue = {
  run<Result>(sender: PasswordSender, work: () => Promise<Result>): Promise<Result>
}

/**
 * Each hash takes 19 MiB and, for about 30 ms, a core and one of the process's few threads for files and DNS lookups. However
 * many people sign in at once, only `atOnce` hashes run, so that evals are not delayed.
 *
 * Anonymous clients take turns by network and wait only for each other. A person who signed in before, from the same network or
 * with the same browser, takes turns with all anonymous clients together. So an attack from any number of addresses makes such
 * a person wait for a hash or two, not for all attackers.
 */
export function createPasswordQueue(atOnce: number): PasswordQueue {
  const waits = { maxWaitMs: 10_000, maxStallMs: 10_000 }
  // All work that fits in a queue is done within the maximum wait, and a few networks together cannot fill a queue.
  const limits = { atOnce, atOnceOfOne: atOnce, waitingOfOne: 6, waiting: 300, ...waits }
  const queues = { known: new FairQueue(limits), anonymous: new FairQueue(limits) }
  // The first work of each queue waits here, so that the queues take turns.
  const slots = new FairQueue({ atOnce, atOnceOfOne: atOnce, waitingOfOne: atOnce, waiting: 2 * atOnce, ...waits })
  return {
    run({ ip, person }, work) {
      const name = person === null ? 'anonymous' : 'known'
      return queues[name].run(person ?? networkOf(ip), () => slots.run(name, work))
    },
  }
}
