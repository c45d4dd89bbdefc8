import { LRUCache } from 'lru-cache'
import { AdaptiveLimit } from './adaptive-limit.ts'

/** The maximum number of attempts in flight in this process, which bounds its sockets and memory. */
const maxAttempts = 1024

/** How many limits of organizations with nothing to send are remembered, and for how many milliseconds. */
const cacheOptions = { max: 10_000, ttl: 3_600_000 }

/** Limits the attempts in flight, for each organization and for the process. */
export class InFlight {
  readonly #maxPerOrganization: number
  readonly #limits = new LRUCache<string, AdaptiveLimit>(cacheOptions)
  #count = 0

  constructor(maxPerOrganization: number) {
    this.#maxPerOrganization = maxPerOrganization
  }

  limitOf(organizationId: string): AdaptiveLimit {
    const limit = this.#limits.get(organizationId) ?? new AdaptiveLimit(this.#maxPerOrganization)
    this.#limits.set(organizationId, limit)
    return limit
  }

  /**
   * Whether an organization with `ownCount` attempts in flight may start another, while this many organizations have events.
   * The first attempt is always allowed, so that an organization whose receiver hangs does not delay others.
   */
  hasFreeSlot(ownCount: number, organizations: number): boolean {
    if (ownCount === 0) return true
    return this.#count < maxAttempts && ownCount < maxAttempts / organizations
  }

  async run<T>(attempt: () => Promise<T>): Promise<T> {
    this.#count++
    try {
      return await attempt()
    } finally {
      this.#count--
    }
  }
}
