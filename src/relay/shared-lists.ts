import { hash } from 'node:crypto'
import type { Entitlement } from '../client/snapshot.ts'

/** An entitlement, and its text as the service writes it. */
export type SharedItem = { readonly item: Entitlement; readonly text: string }

/** A value with the number of its users. */
type ReferenceCounted<Value> = { readonly value: Value; readonly bytes: number; references: number }

/**
 * Approximate memory of an item without its text, an element of a list, a list without its elements, and a feature's position.
 */
const bytesPer = { item: 400, element: 8, list: 400, position: 60 }

/** All entitlements of one or more subscribers. */
export class SharedList {
  /** A hash of the texts of the items: lists with the same digest are equal. */
  readonly digest: string
  readonly items: readonly SharedItem[]
  readonly #positions: ReadonlyMap<string, number>

  constructor(digest: string, items: readonly SharedItem[], positions: ReadonlyMap<string, number>) {
    this.digest = digest
    this.items = items
    this.#positions = positions
  }

  find(feature: string): SharedItem | undefined {
    const position = this.#positions.get(feature)
    return position === undefined ? undefined : this.items[position]
  }

  get(feature: string): Entitlement | undefined {
    return this.find(feature)?.item
  }
}

/** Stores equal lists, equal items, and equal positions of features only once, however many subscribers have them. */
export class SharedLists {
  readonly #lists = new ReferenceCountedTable<SharedList>()
  readonly #items = new ReferenceCountedTable<SharedItem>()
  readonly #positions = new ReferenceCountedTable<ReadonlyMap<string, number>>()

  /** Approximate memory of all lists. */
  get bytes(): number {
    return this.#lists.bytes + this.#items.bytes + this.#positions.bytes
  }

  /** Returns the shared list of these entitlements. Every call needs a call of `release` when the list is no longer used. */
  acquire(entitlements: readonly Entitlement[]): SharedList {
    const texts = entitlements.map((each) => JSON.stringify(each))
    const digest = hash('sha256', texts.join(), 'base64url')
    return this.#lists.acquire(digest, () => {
      const items = texts.map((text, index) =>
        this.#items.acquire(text, () => [
          { item: entitlements[index] as Entitlement, text },
          bytesPer.item + text.length,
        ]),
      )
      const keys = entitlements.map(({ feature }) => feature)
      const positions = this.#positions.acquire(hashKeys(keys), () => [
        new Map(keys.map((key, index) => [key, index])),
        keys.length * bytesPer.position,
      ])
      return [new SharedList(digest, items, positions), bytesPer.list + items.length * bytesPer.element]
    })
  }

  release({ digest, items }: SharedList): void {
    if (!this.#lists.release(digest)) return
    for (const { text } of items) this.#items.release(text)
    this.#positions.release(hashKeys(items.map(({ item }) => item.feature)))
  }
}

/** Hashes the keys, joined with commas, which no key contains. */
function hashKeys(keys: readonly string[]): string {
  return hash('sha256', keys.join(), 'base64url')
}

class ReferenceCountedTable<Value> {
  readonly #rows = new Map<string, ReferenceCounted<Value>>()
  bytes = 0

  acquire(name: string, create: () => [value: Value, bytes: number]): Value {
    let row = this.#rows.get(name)
    if (!row) {
      const [value, bytes] = create()
      row = { value, bytes, references: 0 }
      this.#rows.set(name, row)
      this.bytes += bytes
    }
    row.references += 1
    return row.value
  }

  /** Returns whether the value was removed because it has no users left. */
  release(name: string): boolean {
    const row = this.#rows.get(name)
    if (!row) return false
    row.references -= 1
    if (row.references > 0) return false
    this.#rows.delete(name)
    this.bytes -= row.bytes
    return true
  }
}
