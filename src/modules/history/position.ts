import { z } from 'zod'
import { asScalar } from '../../core/field-type.ts'
import { isStorableText } from '../../core/json.ts'

/**
 * The position of an item in a history, which is newest first: its time in milliseconds since 1970, and its `part`, which says
 * what changed. Items of the same time are in the order of their parts.
 */
export type HistoryPosition = { ms: number; part: string }

const maxIdLength = 300
/** No change is later than this. PostgreSQL cannot read times in later years, because they are written in another format. */
const maxMs = Date.UTC(9999, 11, 31)
const positionPattern = /^(\d{1,15})\.([a-z0-9_:~-]{1,128})$/

/** The id of an item, after which callers can continue to read; also the id of a change with several items. */
export function toItemId({ ms, part }: HistoryPosition): string {
  return Buffer.from(`${ms}.${part}`).toString('base64url')
}

function parseItemId(id: string): HistoryPosition | null {
  if (id.length > maxIdLength) return null
  const [, ms = '', part = ''] = positionPattern.exec(Buffer.from(id, 'base64url').toString('utf8')) ?? []
  const position = { ms: Number(ms), part }
  return ms !== '' && position.ms <= maxMs && toItemId(position) === id ? position : null
}

/** The input field `starting_after` of a history. */
export function itemCursor() {
  const schema = z
    .string()
    .refine((id) => isStorableText(id) && parseItemId(id) !== null)
    .describe('the id of an item of this history')
    .meta({ minLength: 1, maxLength: maxIdLength, pattern: '^[A-Za-z0-9_-]+$' })
  return asScalar('ID', schema)
}

/**
 * The position where a page begins: without a cursor, before all items, including items that the clocks of other processes
 * placed slightly in the future.
 */
export function toPosition(cursor: string | undefined, now: Date): HistoryPosition {
  return (cursor === undefined ? null : parseItemId(cursor)) ?? { ms: now.getTime() + 60_000, part: '' }
}

/** Compares positions to sort them. */
export function newestFirst(one: HistoryPosition, other: HistoryPosition): number {
  return other.ms - one.ms || (one.part < other.part ? -1 : Number(one.part > other.part))
}
