import { LRUCache } from 'lru-cache'
import type { Catalog } from './catalog.ts'

/**
 * Catalogs by organization: the one used longest ago leaves when they grow too heavy, and one that is heavier than the whole
 * store is not kept. An empty one weighs 1, as the store takes nothing for nothing.
 */
export type CatalogStore = LRUCache<string, Catalog>

export function createCatalogStore(maxBytes: number): CatalogStore {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ weight }) => Math.max(weight, 1) })
}
