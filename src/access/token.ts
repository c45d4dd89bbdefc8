import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { installationName } from './installation.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 43
const checksumLength = 6
const prefixLength = 12

/** `text` is the secret, shown once; `prefix` is shown later; `hash` is used to look the token up. */
export type Token = { text: string; prefix: string; hash: Buffer }

/** A kind of secret, named by the letters before its first underscore. */
export type TokenKind = 'ent' | 'ses' | 'inv' | 'usr'

/**
 * A token consists of its kind, `_`, 43 random base62 characters (256 bits), and a checksum of 6 characters, with which this
 * service and scanners for leaked secrets can recognize it without the database. If the installation has a name, its two
 * characters replace the first two random ones, which leaves 244 bits.
 */
export function newToken(kind: TokenKind): Token {
  const unchecked = `${kind}_${installationName()}${randomBase62(randomLength - installationName().length)}`
  const text = unchecked + checksum(unchecked)
  return { text, prefix: text.slice(0, prefixLength), hash: sha256(text, 'buffer') }
}

/** The SHA-256 to look up the token, or null if the text cannot be a token of this kind. */
export function hashToken(kind: TokenKind, text: string): Buffer | null {
  return isToken(kind, text) ? sha256(text, 'buffer') : null
}

/** `hashToken` in hexadecimal. */
export function hashTokenToHex(kind: TokenKind, text: string): string | null {
  return isToken(kind, text) ? sha256(text, 'hex') : null
}

/** Whether the text has the format and the checksum of a token. */
export function isToken(kind: TokenKind, text: string): boolean {
  if (text.length !== kind.length + 1 + randomLength + checksumLength || !text.startsWith(`${kind}_`)) return false
  return text.endsWith(checksum(text.slice(0, -checksumLength)))
}

/** Discards bytes from 248 on, so that each character is equally likely: 248 is a multiple of 62, 256 is not. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
    }
  }
  return text
}

/** CRC-32 in base62, padded to 6 characters, which are enough because 62^6 > 2^32. */
function checksum(text: string): string {
  let remainder = crc32(text)
  let digits = ''
  for (let index = 0; index < checksumLength; index++) {
    digits = base62.charAt(remainder % 62) + digits
    remainder = Math.floor(remainder / 62)
  }
  return digits
}

/** Unsalted and fast on purpose: nobody can guess 256 random bits, and the hash is used to find the row. */
function sha256(text: string, encoding: 'buffer'): Buffer
function sha256(text: string, encoding: 'hex'): string
function sha256(text: string, encoding: 'buffer' | 'hex'): Buffer | string {
  return hash('sha256', text, encoding)
}
