import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/** Characters of all cached documents: parsed, they take about sixty times as much memory. */
const maxTotalLength = 200_000
const maxLength = 10_000

/**
 * Recently used valid documents, by text: clients send the same few again and again. Refused documents are not cached, and
 * neither are long ones, so anonymous callers cannot fill the memory.
 */
type DocumentCache = LRUCache<string, DocumentNode>

export function createDocumentCache(): DocumentCache {
  return new LRUCache({
    maxSize: maxTotalLength,
    maxEntrySize: maxLength,
    sizeCalculation: (_document, text) => text.length,
  })
}
