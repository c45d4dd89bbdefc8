/**
 * The changes that a reader has seen: those of all transactions before `next`, except transactions that were still `running`,
 * and the changes of `next` itself up to the id `after`. Transactions are numbered when they begin to write, and commit in any
 * order, so a single number would skip transactions that commit late.
 */
export type Position = { next: number; running: readonly number[]; after: string }

/** Identifies a change: the transaction that wrote it, and its id. */
type ChangeKey = { transactionId: number; id: string }

/** The position after all changes that had committed when the `pg_snapshot` was taken. */
export function positionAfterSnapshot(snapshot: string): Position {
  const [, next, running = ''] = snapshot.split(':')
  return { next: Number(next), running: running === '' ? [] : running.split(',').map(Number), after: '' }
}

/**
 * The position of a reader that has seen the snapshot's changes in order, up to and including this change. Later changes are
 * read again, even if the reader saw them before.
 */
export function positionAfterChange(snapshot: Position, { transactionId, id }: ChangeKey): Position {
  return { next: transactionId, running: snapshot.running.filter((each) => each < transactionId), after: id }
}

/**
 * Shortens a position: keeps only the oldest running transactions, and moves `next` back to the first running transaction that
 * is left out.
 */
export function shortenPosition(position: Position, maxRunning: number): Position {
  const { running } = position
  const next = running[maxRunning]
  return next === undefined ? position : { next, running: running.slice(0, maxRunning), after: '' }
}

export function hasSeen({ next, running, after }: Position, { transactionId, id }: ChangeKey): boolean {
  if (transactionId === next) return id <= after
  return transactionId < next && !running.includes(transactionId)
}

/** A position in an epoch; `atMs` is the database's time when the cursor was made. */
export type Cursor = { epoch: string; atMs: number; position: Position }

const cursorPattern = /^[0-9a-f]{16}(\.[0-9a-z]{1,11}){2}\.([0-9a-z]{1,11}(,[0-9a-z]{1,11})*)?\.[0-9A-Z]{0,26}$/

/** The maximum length of a cursor, which must fit into a URL: enough for about eight hundred running transactions. */
export const maxCursorLength = 8_000

/**
 * Writes a cursor in at most `maxLength` characters. A running transaction is written as its distance to `next`, which is
 * short. If there are too many running transactions, only the oldest are written, and changes of transactions after the first
 * that is left out are read again.
 */
export function toText(cursor: Cursor, maxLength: number): string {
  let text = toCompleteText(cursor)
  for (let { position } = cursor; text.length > maxLength; text = toCompleteText({ ...cursor, position }))
    position = shortenPosition(position, position.running.length - 1)
  return text
}

function toCompleteText({ epoch, atMs, position: { next, running, after } }: Cursor): string {
  const distances = running.map((each) => (next - each).toString(36)).join()
  return [epoch, Math.floor(atMs).toString(36), next.toString(36), distances, after].join('.')
}

export function writeCursor(cursor: Cursor): string {
  return Buffer.from(toText(cursor, (maxCursorLength * 3) / 4)).toString('base64url')
}

/** Null if the text is malformed. */
export function readCursor(cursor: string): Cursor | null {
  if (cursor.length > maxCursorLength) return null
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  return Buffer.from(text, 'latin1').toString('base64url') === cursor ? fromText(text) : null
}

export function fromText(text: string): Cursor | null {
  if (!cursorPattern.test(text)) return null
  const [epoch, at, next, distances, after] = text.split('.') as [string, string, string, string, string]
  const nextNumber = Number.parseInt(next, 36)
  const running = distances === '' ? [] : distances.split(',').map((each) => nextNumber - Number.parseInt(each, 36))
  return { epoch, atMs: Number.parseInt(at, 36), position: { next: nextNumber, running, after } }
}
