/**
 * The changes that a reader has seen: those of all transactions before `next`, except the ones that were still `running`; and
 * of `next` itself the changes up to the id `after`. Transactions are numbered when they begin to write and commit in any
 * order, so a single number would skip those that commit late.
 */
export type Position = { next: number; running: readonly number[]; after: string }

/** Identifies a change: the transaction that wrote it, and its id. */
type ChangeKey = { transactionId: number; id: string }

/** `snapshot` is a `pg_snapshot`: the changes that it shows are those that have committed. */
export function positionOf(snapshot: string): Position {
  const [, next, running = ''] = snapshot.split(':')
  return { next: Number(next), running: running === '' ? [] : running.split(',').map(Number), after: '' }
}

/**
 * The position of a reader that has seen, in order, all changes of a snapshot up to this one. Later changes that an earlier
 * position had already seen are seen again.
 */
export function positionAt(snapshot: Position, { transactionId, id }: ChangeKey): Position {
  return { next: transactionId, running: snapshot.running.filter((each) => each < transactionId), after: id }
}

/**
 * Names only the oldest of the running transactions, and goes back to the first of the others, so that the cursor is shorter.
 */
export function shorten(position: Position, mostRunning: number): Position {
  const { running } = position
  const next = running[mostRunning]
  return next === undefined ? position : { next, running: running.slice(0, mostRunning), after: '' }
}

export function hasSeen({ next, running, after }: Position, { transactionId, id }: ChangeKey): boolean {
  if (transactionId === next) return id <= after
  return transactionId < next && !running.includes(transactionId)
}

/** A position in one epoch; `atMs` is the database's time when it was given out. */
export type Cursor = { epoch: string; atMs: number; position: Position }

const pattern = /^[0-9a-f]{16}(\.[0-9a-z]{1,11}){2}\.([0-9a-z]{1,11}(,[0-9a-z]{1,11})*)?\.[0-9A-Z]{0,26}$/

/** The maximum length of a cursor, which must fit into an address: enough for some eight hundred running transactions. */
export const maxCursorLength = 8_000

/**
 * At most this many characters. Running transactions are written as their distances: most are close together. If there are very
 * many, only the oldest are named: changes that others committed after the first of the rest began are seen again.
 */
export function toText(cursor: Cursor, maxLength: number): string {
  let text = toWholeText(cursor)
  for (let { position } = cursor; text.length > maxLength; text = toWholeText({ ...cursor, position }))
    position = shorten(position, position.running.length - 1)
  return text
}

function toWholeText({ epoch, atMs, position: { next, running, after } }: Cursor): string {
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
  if (!pattern.test(text)) return null
  const [epoch, at, next, distances, after] = text.split('.') as [string, string, string, string, string]
  const number = Number.parseInt(next, 36)
  const running = distances === '' ? [] : distances.split(',').map((each) => number - Number.parseInt(each, 36))
  return { epoch, atMs: Number.parseInt(at, 36), position: { next: number, running, after } }
}
