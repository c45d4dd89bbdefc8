import type { TokenSubject } from '../access/subscriber-token.ts'
import type { Vault } from '../core/vault.ts'
import { type Cursor, fromText, readCursor, toText, writeCursor } from './position.ts'

/** How cursors are written for one caller, and read again. */
export type Cursors = {
  write(cursor: Cursor): string
  /** A cursor that was written for another caller, or under another master key, has no epoch: it is answered by `reset`. */
  read(text: string): Cursor
}

/** A position after all changes, so that nothing is read for it. */
const unreadable: Cursor = { epoch: '', atMs: 0, position: { next: Number.MAX_SAFE_INTEGER, running: [], after: '' } }

/** Cursors of keys, which see every change: they are readable by anybody. */
export const plainCursors: Cursors = { write: writeCursor, read: (text) => readCursor(text) ?? unreadable }

/** Room for some fifty transactions that are running. The length never says how many there are. */
const textLength = 324
/** The length with the nonce and the tag, in base64url. */
const sealedLength = Math.ceil(((12 + 16 + textLength) * 4) / 3)

/** Whether the text has the form of a cursor of either kind. */
export function isCursor(text: string): boolean {
  return (text.length === sealedLength && /^[\w-]*$/.test(text)) || readCursor(text) !== null
}

/** Cursors of subscriber tokens: they contain changes and transactions of others, so only the service can read or make one. */
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
      try {
        const opened = vault.decrypt('subscriber-cursor', owner, Buffer.from(text, 'base64url'))
        return fromText(opened.trimEnd()) ?? unreadable
      } catch {
        return unreadable
      }
    },
  }
}
