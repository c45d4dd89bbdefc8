import { networkOf } from '../core/network.ts'
import { FairQueue } from '../fairness/fair-queue.ts'

/** Whoever sends a password: `person` is who they say they are, if they signed in before from there; otherwise null. */
type PasswordSender = { ip: string; person: string | null }

/** Hashes passwords, in turns of those who signed in before and strangers. */
export type PasswordWork = {
  run<Result>(sender: PasswordSender, work: () => Promise<Result>): Promise<Result>
}

/**
 * Each hash takes a core for about 30 ms, 19 MiB, and one of the few threads that the process has for files and names.
 * However many sign in at once and from wherever, only `atOnce` hashes run: evals of others are not delayed.
 *
 * Strangers alternate by network, and wait only behind each other: whoever signed in before, from that network or with that
 * browser, alternates with all of them together. So an attack from any number of addresses makes such a person wait for a
 * hash or two, and not for the attackers.
 */
export function createPasswordWork(atOnce: number): PasswordWork {
  const waits = { maxWaitMs: 10_000, maxStallMs: 10_000 }
  // What waits here is done in time; a few networks together cannot fill it.
  const lane = { atOnce, atOnceOfOne: atOnce, waitingOfOne: 6, waiting: 300, ...waits }
  const lanes = { known: new FairQueue(lane), strangers: new FairQueue(lane) }
  // The head of each lane waits here, so that the lanes alternate.
  const places = new FairQueue({ atOnce, atOnceOfOne: atOnce, waitingOfOne: atOnce, waiting: 2 * atOnce, ...waits })
  return {
    run({ ip, person }, work) {
      const name = person === null ? 'strangers' : 'known'
      return lanes[name].run(person ?? networkOf(ip), () => places.run(name, work))
    },
  }
}
