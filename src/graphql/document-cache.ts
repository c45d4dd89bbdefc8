import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/** Total characters of the cached documents, which take about sixty times as much memory when parsed. */
const maxTotalLength = 200_000
const maxLength = 10_000

/**
 * Recently used valid documents, by text: clients keep sending the same few. Refused and long documents are not cached,
 * so anonymous callers cannot fill the memory.
 */
type DocumentCache = LRUCache<string, DocumentNode>

export function createDocumentCache(): DocumentCache {
  return new LRUCache({
    maxSize: maxTotalLength,
    maxEntrySize: maxLength,
    sizeCalculation: (_document, text) => text.length,
  })
}
