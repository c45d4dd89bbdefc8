import type { TokenSubject } from '../access/subscriber-token.ts'
import type { Vault } from '../core/vault.ts'
import { type Cursor, fromText, readCursor, toText, writeCursor } from './position.ts'

/** Writes and reads the cursors of one caller. */
export type Cursors = {
  write(cursor: Cursor): string
  /**
   * Returns `unreadableCursor`, which leads to a reset, if the text is malformed, or was encrypted for another caller or with
   * another master key.
   */
  read(text: string): Cursor
}

/** Stands for an unreadable cursor. Its position is after all changes, so that no changes are read. */
const unreadableCursor: Cursor = {
  epoch: '',
  atMs: 0,
  position: { next: Number.MAX_SAFE_INTEGER, running: [], after: '' },
}

/** The cursors of API keys are not encrypted, because keys may see all changes. */
export const plainCursors: Cursors = { write: writeCursor, read: (text) => readCursor(text) ?? unreadableCursor }

/**
 * The length of a subscriber's cursor before encryption, enough for about fifty running transactions. Shorter cursors are
 * padded, so that the length does not reveal the number of transactions.
 */
const textLength = 324
/** The length of an encrypted cursor in base64url, with its nonce and tag. */
const sealedLength = Math.ceil(((12 + 16 + textLength) * 4) / 3)

/** Whether the text has the format of a plain or an encrypted cursor. */
export function isCursor(text: string): boolean {
  return (text.length === sealedLength && /^[\w-]*$/.test(text)) || readCursor(text) !== null
}

/**
 * Cursors for callers with a subscriber token. They are encrypted because a cursor contains ids of other subscribers' changes
 * and transactions.
 */
export function sealedCursors(
  vault: Pick<Vault, 'encrypt' | 'decrypt'>,
  { organizationId, subscriberId, subscriberSince }: TokenSubject,
): Cursors {
  const owner = `${organizationId} ${subscriberId} ${subscriberSince.getTime()}`
  return {
    write(cursor) {
      const text = toText(cursor, textLength).padEnd(textLength)
      const sealed = vault.encrypt('subscriber-cursor', owner, text)
      return Buffer.from(sealed).toString('base64url')
    },
    read(text) {
      const sealed = Buffer.from(text, 'base64url')
      // The last character has unused bits, which Node ignores.
      if (sealed.toString('base64url') !== text) return unreadableCursor
      try {
        const opened = vault.decrypt('subscriber-cursor', owner, sealed)
        return fromText(opened.trimEnd()) ?? unreadableCursor
      } catch {
        return unreadableCursor
      }
    },
  }
}
