import { LRUCache } from 'lru-cache'
import { networkOf } from '../core/network.ts'
import { limits } from '../database/limits.ts'
import { FairQueue } from '../fairness/fair-queue.ts'

/** Each takes a millisecond or a few. They wait as long as for a connection: in an outage the request waits for more than that. */
const limitsOfLookups = {
  atOnce: 2,
  atOnceOfOne: 2,
  waiting: 2000,
  maxWaitMs: limits.connectTimeoutMs,
  maxStallMs: limits.connectTimeoutMs,
}
const maxKnown = 50_000
const maxUnknown = 10_000
const unknownMs = 5_000

/**
 * What takes a connection before the caller is known, or to know the caller. Callers that this process knows wait only for
 * each other, and in turns; strangers have two places of the pool together, and alternate by address.
 */
export class Lookups {
  readonly #known = new FairQueue({ ...limitsOfLookups, waitingOfOne: 1000 })
  readonly #strangers = new FairQueue({ ...limitsOfLookups, waitingOfOne: 500 })
  /** Whose requests come with a key or session: it grants nothing, because each request looks it up again. */
  readonly #owners = new LRUCache<string, string>({ max: maxKnown })
  /**
   * Keys and sessions that do not exist. They have 256 random bits, so one that does not exist now is not one that somebody
   * will create.
   */
  readonly #unknown = new LRUCache<string, true>({ max: maxUnknown, ttl: unknownMs })

  /** Whether the key or session was found by this process, the last time that it was sent. */
  knows(credential: string): boolean {
    return this.#owners.get(credential) !== undefined
  }

  /** It was refused: it waits with the strangers from now on. */
  forget(credential: string): void {
    this.#owners.delete(credential)
  }

  /** The row of a key or session, named by its hash; undefined if there is none. */
  async find<Row extends { ownerId: string }>(
    credential: string,
    ip: string,
    read: () => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    if (this.#unknown.has(credential)) return undefined
    const owner = this.#owners.get(credential)
    const row = owner === undefined ? await this.ofStranger(ip, read) : await this.ofOwner(owner, read)
    if (row) {
      this.#owners.set(credential, row.ownerId)
    } else {
      this.#owners.delete(credential)
      this.#unknown.set(credential, true)
    }
    return row
  }

  /** A few statements of an owner who is known by a signature. */
  ofOwner<Result>(ownerId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#known.run(ownerId, work)
  }

  /** A few statements of someone who is not known. */
  ofStranger<Result>(ip: string, work: () => Promise<Result>): Promise<Result> {
    return this.#strangers.run(networkOf(ip), work)
  }
}
