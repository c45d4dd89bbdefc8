import { LRUCache } from 'lru-cache'
import type { Catalog } from '../resolution/catalog.ts'

/**
 * Catalogs by organization. A full store drops the least recently used catalog; a catalog larger than the whole store is
 * not kept. An empty catalog counts as one byte, because the cache does not accept a size of 0.
 */
export type CatalogStore = LRUCache<string, Catalog>

export function createCatalogStore(maxBytes: number): CatalogStore {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ weight }) => Math.max(weight, 1) })
}
