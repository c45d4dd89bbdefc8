import { hash } from 'node:crypto'
import type { Entitlement } from '../client/snapshot.ts'

/** An entitlement, and its text as the service writes it. */
export type SharedItem = { readonly item: Entitlement; readonly text: string }

/** A row of a table that counts its users. */
type ReferenceCounted<Value> = { readonly value: Value; readonly bytes: number; references: number }

/** Approximate memory of an item besides its text, of an element of a list, and of the structure around a list. */
const bytesOf = { item: 400, element: 8, list: 400, position: 60 }

/** All entitlements of one or more subscribers. */
export class SharedList {
  /** Lists by the text of their items: two lists with the same text are the same. */
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

/**
 * Stores once what many subscribers have in common: the whole list where two have the same, each item where it is the same in
 * two lists, and the positions of features in a list.
 */
export class SharedLists {
  readonly #lists = new Table<SharedList>()
  readonly #items = new Table<SharedItem>()
  readonly #positions = new Table<ReadonlyMap<string, number>>()

  /** Approximate memory of all of them. */
  get bytes(): number {
    return this.#lists.bytes + this.#items.bytes + this.#positions.bytes
  }

  /** Call `release` once for each time. */
  take(entitlements: readonly Entitlement[]): SharedList {
    const texts = entitlements.map((each) => JSON.stringify(each))
    const digest = hash('sha256', texts.join(), 'base64url')
    return this.#lists.take(digest, () => {
      const items = texts.map((text, index) =>
        this.#items.take(text, () => [{ item: entitlements[index] as Entitlement, text }, bytesOf.item + text.length]),
      )
      const keys = entitlements.map(({ feature }) => feature)
      const positions = this.#positions.take(nameOf(keys), () => [
        new Map(keys.map((key, index) => [key, index])),
        keys.length * bytesOf.position,
      ])
      return [new SharedList(digest, items, positions), bytesOf.list + items.length * bytesOf.element]
    })
  }

  release({ digest, items }: SharedList): void {
    if (!this.#lists.release(digest)) return
    for (const { text } of items) this.#items.release(text)
    this.#positions.release(nameOf(items.map(({ item }) => item.feature)))
  }
}

/** Keys have no commas. */
function nameOf(keys: readonly string[]): string {
  return hash('sha256', keys.join(), 'base64url')
}

class Table<Value> {
  readonly #rows = new Map<string, ReferenceCounted<Value>>()
  bytes = 0

  take(name: string, create: () => [value: Value, bytes: number]): Value {
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

  /** Whether nobody uses it any more. */
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
