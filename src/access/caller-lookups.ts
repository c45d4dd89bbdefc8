import { LRUCache } from 'lru-cache'
import { networkOf } from '../core/network.ts'
import { limits } from '../database/limits.ts'
import { FairQueue } from '../fairness/fair-queue.ts'
import type { Actor } from './actor.ts'

const maxKnown = 50_000
const maxUnknown = 10_000
const rememberUnknownMs = 5_000
const maxRemembered = 10_000
const rememberMs = 60_000
/** The size of each entry, so that the caches count entries. With `max` they would reserve memory for all entries at once. */
const sizeOfEntry = () => 1

/**
 * Runs statements that identify the caller, or that run before the caller is known. Callers that this process knows wait only
 * for each other, and take turns. All anonymous clients together may use as many connections as all known callers, and take
 * turns by network.
 */
export class CallerLookups {
  readonly #known: FairQueue
  readonly #anonymous: FairQueue
  /** The owner of each known key or session. Grants no access: each request looks the credential up again. */
  readonly #owners = new LRUCache<string, string>({ maxSize: maxKnown, sizeCalculation: sizeOfEntry })
  /** Keys and sessions that do not exist. They have 256 random bits, so none of them will be created later. */
  readonly #unknown = new LRUCache<string, true>({
    maxSize: maxUnknown,
    sizeCalculation: sizeOfEntry,
    ttl: rememberUnknownMs,
  })

  /** The callers that were last found, by the hash of their key: see `Actor.isRemembered`. */
  readonly remembered = new LRUCache<string, Actor>({
    maxSize: maxRemembered,
    sizeCalculation: sizeOfEntry,
    ttl: rememberMs,
  })

  /**
   * Up to `atOnce` known callers, and as many anonymous clients, are looked up at the same time. Lookups take a few milliseconds
   * each, and wait at most as long as a request waits for a connection.
   */
  constructor(atOnce: number, maxWaitMs: number = limits.connectTimeoutMs) {
    const queueLimits = { atOnce, atOnceOfOne: atOnce, waiting: 2000, maxWaitMs, maxStallMs: maxWaitMs }
    this.#known = new FairQueue({ ...queueLimits, waitingOfOne: 1000 })
    this.#anonymous = new FairQueue({ ...queueLimits, waitingOfOne: 500 })
  }

  /** Whether this process found the key or session when it was last sent. */
  hasSeen(credential: string): boolean {
    return this.#owners.get(credential) !== undefined
  }

  /** Called when a credential was refused: from now on, its requests wait with those of anonymous clients. */
  forget(credential: string): void {
    this.#owners.delete(credential)
    this.remembered.delete(credential)
  }

  /**
   * Reads the row of a key or session; returns undefined if there is none. Does not read it again if it did not exist a moment
   * ago.
   */
  async find<Row extends { ownerId: string }>(
    credential: string,
    ip: string,
    read: () => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    if (this.#unknown.has(credential)) return undefined
    const owner = this.#owners.get(credential)
    const row = owner === undefined ? await this.ofAnonymousClient(ip, read) : await this.ofOwner(owner, read)
    if (row) {
      this.#owners.set(credential, row.ownerId)
    } else {
      this.#owners.delete(credential)
      this.#unknown.set(credential, true)
    }
    return row
  }

  /** Runs a few statements for an owner who is known, for example by a signature. */
  ofOwner<Result>(ownerId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#known.run(ownerId, work)
  }

  /** Runs a few statements for an anonymous client. */
  ofAnonymousClient<Result>(ip: string, work: () => Promise<Result>): Promise<Result> {
    return this.#anonymous.run(networkOf(ip), work)
  }
}
