import { Cache, type Entry } from '../client/cache.ts'
import type { Entitlement, Snapshot } from '../client/snapshot.ts'
import { type SharedList, SharedLists } from './shared-lists.ts'

/** A snapshot whose list of entitlements several subscribers may share. */
export class SharedSnapshot implements Snapshot {
  readonly subscriber_id: string
  readonly plan: string | null
  readonly valid_until: string | null
  readonly list: SharedList

  constructor({ subscriber_id, plan, valid_until }: Snapshot, list: SharedList) {
    this.subscriber_id = subscriber_id
    this.plan = plan
    this.valid_until = valid_until
    this.list = list
  }

  get entitlements(): Entitlement[] {
    return this.list.items.map(({ item }) => item)
  }
}

/** The average memory allowed for each subscriber, enough for the usual number of features; and the minimum in total. */
const bytesPerSubscriber = 5_000
const minBytes = 16 * 1024 * 1024
/** Approximate memory of an entry without its list and its id. */
const bytesPerEntry = 700

/** The client's cache, changed to store each list and each entitlement only once, however many subscribers have it. */
export class RelayCache extends Cache {
  readonly #lists = new SharedLists()
  readonly #maxBytes: number
  readonly #onChange: (subscriberId: string) => void
  #ownBytes = 0

  /** `onChange` is called with each subscriber whose cached answer changes. */
  constructor(maxSubscribers: number, onChange: (subscriberId: string) => void) {
    super(maxSubscribers)
    this.#maxBytes = Math.max(maxSubscribers * bytesPerSubscriber, minBytes)
    this.#onChange = onChange
  }

  /** Approximate memory of the cached answers. */
  get bytes(): number {
    return this.#ownBytes + this.#lists.bytes
  }

  protected override toStored(subscriberId: string, entry: Entry): Entry {
    const { snapshot } = entry
    this.#ownBytes += bytesPerEntry + subscriberId.length
    this.#onChange(subscriberId)
    if (!snapshot) return entry
    const list = this.#lists.acquire(snapshot.entitlements)
    return { ...entry, snapshot: new SharedSnapshot(snapshot, list), items: list }
  }

  protected override onRemoved(subscriberId: string, { snapshot }: Entry): void {
    this.#ownBytes -= bytesPerEntry + subscriberId.length
    if (snapshot instanceof SharedSnapshot) this.#lists.release(snapshot.list)
  }

  protected override isFull(): boolean {
    return this.bytes > this.#maxBytes
  }
}
