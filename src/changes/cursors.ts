import type { TokenSubject } from '../access/subscriber-token.ts'
import type { Vault } from '../core/vault.ts'
import { type Cursor, fromText, readCursor, toText, writeCursor } from './position.ts'

/** How cursors are written for one caller, and read again. */
export type Cursors = {
  write(cursor: Cursor): string
  /** What was not written for this caller, or by another master key, is a cursor of no epoch: it is answered by `reset`. */
  read(text: string): Cursor
}

/** After all changes, so that nothing is read for it. */
const unreadable: Cursor = { epoch: '', atMs: 0, position: { next: Number.MAX_SAFE_INTEGER, running: [], after: '' } }

/** Of keys, which hear of every change: anybody can read these. */
export const plainCursors: Cursors = { write: writeCursor, read: (text) => readCursor(text) ?? unreadable }

/** Room for some fifty transactions that are running. The length never says how many there are. */
const textLength = 324
/** With the nonce and the tag, in base64url. */
const sealedLength = Math.ceil(((12 + 16 + textLength) * 4) / 3)

/** Whether the text has the form of a cursor, whoever may read it. */
export function isCursor(text: string): boolean {
  return (text.length === sealedLength && /^[\w-]*$/.test(text)) || readCursor(text) !== null
}

/** Of a subscriber's tokens: a cursor names changes and transactions of others, so only the service can read or make one. */
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
