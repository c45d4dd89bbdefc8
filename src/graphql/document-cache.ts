import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/** The maximum number of characters of all cached documents. A parsed document takes about sixty times as much memory. */
const maxTotalLength = 200_000
const maxLength = 10_000

/**
 * Recently used valid documents, by their text, because clients send the same few again and again. Refused and long documents
 * are not cached, so that anonymous callers cannot fill the memory.
 */
type DocumentCache = LRUCache<string, DocumentNode>

export function createDocumentCache(): DocumentCache {
  return new LRUCache({
    maxSize: maxTotalLength,
    maxEntrySize: maxLength,
    sizeCalculation: (_document, text) => text.length,
  })
}
