import type { Catalog } from './catalog.ts'

/** The catalogs that a process holds, by organization: the one used longest ago leaves when they grow too heavy. */
export class CatalogStore {
  readonly #catalogs = new Map<string, Catalog>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(organizationId: string): Catalog | undefined {
    const catalog = this.#catalogs.get(organizationId)
    if (catalog === undefined) return undefined
    // A Map keeps the order of insertion, so the first one is always the one used longest ago.
    this.#catalogs.delete(organizationId)
    this.#catalogs.set(organizationId, catalog)
    return catalog
  }

  /** Keeps the catalog instead of an older version. One that is heavier than the whole store is not kept. */
  set(organizationId: string, catalog: Catalog): void {
    this.remove(organizationId)
    if (catalog.weight > this.#maxBytes) return
    this.#catalogs.set(organizationId, catalog)
    this.#bytes += catalog.weight
    for (const oldest of this.#catalogs.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.remove(oldest)
    }
  }

  remove(organizationId: string): void {
    const catalog = this.#catalogs.get(organizationId)
    if (catalog === undefined) return
    this.#catalogs.delete(organizationId)
    this.#bytes -= catalog.weight
  }
}
