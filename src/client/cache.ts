import type { Entitlement, Snapshot } from './snapshot.ts'

/** The cached answer about a subscriber. */
export type Entry = {
  /** Null: the subscriber does not exist. */
  readonly snapshot: Snapshot | null
  readonly items: { get(feature: string): Entitlement | undefined }
  readonly etag: string | null
  /** When the request for this answer was sent, by the environment's clock; `-Infinity` if that is unknown. */
  readonly sentAt: number
  /** When the service received that request, by its own clock, in milliseconds; null if unknown. */
  readonly receivedAt: number | null
  /** After this time the answer may be wrong, because an override starts or ends. */
  readonly endsAt: number
  /** Whether the entitlements have changed since this answer, or may have changed. */
  isStale: boolean
  /** Whether the entry was used since the last search for an entry to evict. */
  isUsed: boolean
}

const noItems: Entry['items'] = new Map()

export function toEntry(
  snapshot: Snapshot | null,
  fields: Pick<Entry, 'etag' | 'sentAt' | 'receivedAt' | 'endsAt' | 'isStale'>,
): Entry {
  const items = snapshot ? new Map(snapshot.entitlements.map((item) => [item.feature, item])) : noItems
  return { snapshot, items, ...fields, isUsed: true }
}

/** Compares by the service's clock: after a retry, a request that was sent earlier may return a newer answer. */
export function isOlder(entry: Entry, than: Entry): boolean {
  if (entry.receivedAt === null || than.receivedAt === null) return entry.sentAt < than.sentAt
  return entry.receivedAt < than.receivedAt
}

/** The answers about the subscribers that were used most recently. */
export class Cache {
  readonly #entries = new Map<string, Entry>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  get size(): number {
    return this.#entries.size
  }

  get(subscriberId: string): Entry | undefined {
    const entry = this.#entries.get(subscriberId)
    if (entry) entry.isUsed = true
    return entry
  }

  set(subscriberId: string, entry: Entry): void {
    const last = this.#entries.get(subscriberId)
    const kept = this.toStored(subscriberId, entry)
    this.#entries.delete(subscriberId)
    if (last) this.onRemoved(subscriberId, last)
    while (this.#entries.size > 0 && (this.#entries.size >= this.#size || this.isFull())) this.#makeRoom()
    this.#entries.set(subscriberId, kept)
  }

  /** Returns the subscribers whose entries the change has made stale. */
  expire(subscriberId: string): string[] {
    return this.#expire([[subscriberId, this.#entries.get(subscriberId)]])
  }

  /**
   * Makes the entries of all subscribers with this plan stale. The plan of a subscriber is known from its last answer. If the
   * subscriber has moved to another plan since, a change about the subscriber itself will follow.
   */
  expirePlan(key: string): string[] {
    return this.#expire([...this.#entries].filter(([, { snapshot }]) => snapshot?.plan === key))
  }

  expireAll(): string[] {
    return this.#expire(this.#entries)
  }

  /** Converts the entry to the form in which the cache stores it. */
  protected toStored(_subscriberId: string, entry: Entry): Entry {
    return entry
  }

  /** Called with each entry that is evicted or replaced. */
  protected onRemoved(_subscriberId: string, _entry: Entry): void {}

  /** Whether the cache is full for another reason than its number of subscribers, such as its bytes. */
  protected isFull(): boolean {
    return false
  }

  #expire(entries: Iterable<readonly [string, Entry | undefined]>): string[] {
    const expired: string[] = []
    for (const [subscriberId, entry] of entries) {
      if (!entry || entry.isStale) continue
      entry.isStale = true
      expired.push(subscriberId)
    }
    return expired
  }

  /** Evicts the oldest entry that was not used since the last search. */
  #makeRoom(): void {
    for (const [subscriberId, entry] of this.#entries) {
      this.#entries.delete(subscriberId)
      if (entry.isUsed) {
        entry.isUsed = false
        this.#entries.set(subscriberId, entry)
      } else {
        this.onRemoved(subscriberId, entry)
        return
      }
    }
  }
}
