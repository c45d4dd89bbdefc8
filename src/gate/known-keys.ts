import { LRUCache } from 'lru-cache'

/**
 * The organization of each recently used key, so that an eval can carry the version of its catalog in memory.
 * It grants nothing: the statement looks up every key again.
 */
export type KnownKeys = LRUCache<string, string>

export function createKnownKeys(max: number): KnownKeys {
  return new LRUCache({ max })
}
