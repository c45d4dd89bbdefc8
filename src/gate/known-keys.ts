import { LRUCache } from 'lru-cache'

/**
 * The organization of each key seen lately, so that an eval can carry the catalog version held for it.
 * It grants nothing: the statement looks up every key again.
 */
export type KnownKeys = LRUCache<string, string>

export function createKnownKeys(max: number): KnownKeys {
  return new LRUCache({ max })
}
