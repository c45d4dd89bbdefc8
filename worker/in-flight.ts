import { LRUCache } from 'lru-cache'
import { AdaptiveLimit } from './adaptive-limit.ts'

/**
 * The maximum of attempts that a process may have in flight for all organizations, so that its sockets and memory are bounded.
 */
const most = 1024

/** The maximum of organizations whose limit is remembered while they have nothing to send. */
const remembered = { max: 10_000, ttl: 3_600_000 }

/** Limits the attempts in flight: those of each organization, and those of all together. */
export class InFlight {
  readonly #ofOne: number
  readonly #limits = new LRUCache<string, AdaptiveLimit>(remembered)
  #count = 0

  /** `ofOne` is the most for one organization. */
  constructor(ofOne: number) {
    this.#ofOne = ofOne
  }

  limitOf(organizationId: string): AdaptiveLimit {
    const limit = this.#limits.get(organizationId) ?? new AdaptiveLimit(this.#ofOne)
    this.#limits.set(organizationId, limit)
    return limit
  }

  /**
   * Whether an organization that has this many attempts in flight may have one more, while this many organizations have events.
   * The first may always be sent: an organization whose receiver hangs delays no other.
   */
  hasFreeSlot(ofOne: number, organizations: number): boolean {
    if (ofOne === 0) return true
    return this.#count < most && ofOne < most / organizations
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
