import { LRUCache } from 'lru-cache'

/**
 * Maps each recently used key to its organization, so that an eval can send the version of the catalog in memory; and to
 * whether the key is bound to networks, because only then does the statement need the caller's address. A key's networks never
 * change. This cache grants no access: the statement looks up every key again.
 */
export type KnownKeys = LRUCache<string, KnownKey>

type KnownKey = { organizationId: string; isBound: boolean }

export function createKnownKeys(max: number): KnownKeys {
  // With the option `max`, the cache would reserve memory for all keys at once.
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
}
