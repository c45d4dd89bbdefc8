import type { Entitlement, Snapshot } from './snapshot.ts'

/** What is known of a subscriber. */
export type Entry = {
  /** Null: there is no such subscriber. */
  readonly snapshot: Snapshot | null
  readonly items: ReadonlyMap<string, Entitlement>
  readonly etag: string | null
  /** When the request was sent that was answered so, by the environment's clock; `-Infinity` if it never was. */
  readonly sentAt: number
  /** When the service received that request, by its own clock, in milliseconds; null if it does not say so. */
  readonly receivedAt: number | null
  /** From then on another answer may be right, because an override ends. */
  readonly endsAt: number
  /** Something has changed since, or may have. */
  isStale: boolean
  /** Asked for since the last search for an entry to give up. */
  isUsed: boolean
}

const noItems: ReadonlyMap<string, Entitlement> = new Map()

export function toEntry(
  snapshot: Snapshot | null,
  facts: Pick<Entry, 'etag' | 'sentAt' | 'receivedAt' | 'endsAt'>,
): Entry {
  const items = snapshot ? new Map(snapshot.entitlements.map((item) => [item.feature, item])) : noItems
  return { snapshot, items, ...facts, isStale: false, isUsed: true }
}

/** By the service's clock: a request that was sent earlier may be repeated, and so be answered with something newer. */
export function isOlder(entry: Entry, than: Entry): boolean {
  if (entry.receivedAt === null || than.receivedAt === null) return entry.sentAt < than.sentAt
  return entry.receivedAt < than.receivedAt
}

/** The subscribers that were asked for most recently. */
export class Cache {
  readonly #entries = new Map<string, Entry>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  get(subscriberId: string): Entry | undefined {
    const entry = this.#entries.get(subscriberId)
    if (entry) entry.isUsed = true
    return entry
  }

  set(subscriberId: string, entry: Entry): void {
    if (!this.#entries.delete(subscriberId) && this.#entries.size >= this.#size) this.#makeRoom()
    this.#entries.set(subscriberId, entry)
  }

  /** The subscribers whose entries have become stale by it. */
  expire(subscriberId: string): string[] {
    return this.#expire([[subscriberId, this.#entries.get(subscriberId)]])
  }

  /** A subscriber's plan is known from its last answer: if that was another, its own change is yet to be heard. */
  expirePlan(key: string): string[] {
    return this.#expire([...this.#entries].filter(([, { snapshot }]) => snapshot?.plan === key))
  }

  expireAll(): string[] {
    return this.#expire(this.#entries)
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

  /** Gives up the oldest entry that was not used since the last search. */
  #makeRoom(): void {
    for (const [subscriberId, entry] of this.#entries) {
      this.#entries.delete(subscriberId)
      if (!entry.isUsed) return
      entry.isUsed = false
      this.#entries.set(subscriberId, entry)
    }
  }
}
