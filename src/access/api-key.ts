import { LRUCache } from 'lru-cache'
import { hashTokenToHex, isToken, newToken } from './token.ts'

/** A new API key: `key` is shown once, `prefix` is shown in lists, and only `hash` is used to look it up. */
export function newApiKey(): { key: string; prefix: string; hash: Buffer } {
  const { text, prefix, hash } = newToken('ent')
  return { key: text, prefix, hash }
}

/**
 * The hashes of the keys that were used last, cached because validating and hashing a key takes longer than any other part of a
 * check in this process.
 */
const hashes = new LRUCache<string, string>({ max: 10_000 })

/**
 * The key's SHA-256 in hexadecimal, or null if its format or checksum is wrong: such a key is not looked up in the database.
 */
export function hashApiKey(text: string): string | null {
  const known = hashes.get(text)
  if (known !== undefined) return known
  const hash = hashTokenToHex('ent', text)
  if (hash !== null) hashes.set(text, hash)
  return hash
}

/** Whether the text has the format and the checksum of a key. */
export function isApiKey(text: string): boolean {
  return isToken('ent', text)
}
