import { LRUCache } from 'lru-cache'

/**
 * The organization of each recently used key, so that an eval can carry the version of its catalog in memory, and whether the
 * key is bound to networks, so that evals with others need no address. The networks of a key never change.
 * It grants nothing: the statement looks up every key again.
 */
export type KnownKeys = LRUCache<string, KnownKey>

type KnownKey = { organizationId: string; isBound: boolean }

export function createKnownKeys(max: number): KnownKeys {
  return new LRUCache({ max })
}
