import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/** Characters of all documents kept: parsed, they take some sixty times as much memory. */
const maxTotalLength = 200_000
const maxLength = 10_000

/**
 * Valid documents that came lately, by text: clients send the same few again and again. What was refused is not kept, and
 * neither is a long document, so strangers cannot fill the memory.
 */
export type DocumentCache = LRUCache<string, DocumentNode>

export function createDocumentCache(): DocumentCache {
  return new LRUCache({
    maxSize: maxTotalLength,
    maxEntrySize: maxLength,
    sizeCalculation: (_document, text) => text.length,
  })
}
