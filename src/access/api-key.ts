import { hashTokenToHex, newToken } from './token.ts'

/** A fresh API key: `key` is shown once, `prefix` is shown in lists, only `hash` finds it again. */
export function newApiKey(): { key: string; prefix: string; hash: Buffer } {
  const { text, prefix, hash } = newToken('ent')
  return { key: text, prefix, hash }
}

/** SHA-256 of the key in hexadecimal, or null when its form or checksum is wrong: such text never reaches the database. */
export function hashApiKey(text: string): string | null {
  return hashTokenToHex('ent', text)
}
