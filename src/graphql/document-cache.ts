import type { DocumentNode } from 'graphql'

/** Characters of all documents kept: parsed, they take some sixty times as much memory. */
const maxTotalLength = 200_000
const maxLength = 10_000

/**
 * Valid documents that came lately, by text: clients send the same few again and again. What was refused is not kept, and
 * neither is a long document, so strangers cannot fill the memory.
 */
export class DocumentCache {
  readonly #documents = new Map<string, DocumentNode>()
  #totalLength = 0

  get(text: string): DocumentNode | undefined {
    const document = this.#documents.get(text)
    if (!document) return undefined
    // The map's order is that of the last use.
    this.#documents.delete(text)
    this.#documents.set(text, document)
    return document
  }

  set(text: string, document: DocumentNode): void {
    if (text.length > maxLength || this.#documents.has(text)) return
    this.#documents.set(text, document)
    this.#totalLength += text.length
    for (const oldest of this.#documents.keys()) {
      if (this.#totalLength <= maxTotalLength) return
      this.#documents.delete(oldest)
      this.#totalLength -= oldest.length
    }
  }

  get totalLength(): number {
    return this.#totalLength
  }
}
