import { z } from 'zod'
import { note } from './field-type.ts'
import { defineInput } from './input.ts'

export const defaultPageSize = 50
export const maxPageSize = 100

/** What a page needs: how many items, and the id after which it begins. */
export type PageInput = { limit: number; starting_after?: string | undefined }

/** What Relay's connections call `first` and `after`. isId tells whether a cursor is well formed for the collection; idFormat names that form in the refusal. */
export function pageShape(isId: (text: string) => boolean, idFormat: string) {
  return {
    limit: note(pageSize(), { alias: 'first' }),
    starting_after: note(z.string().refine(isId).describe(idFormat).optional(), { alias: 'after' }),
  }
}

function pageSize() {
  return z
    .int()
    .min(1)
    .transform((limit) => Math.min(limit, maxPageSize))
    .default(defaultPageSize)
    .describe('an integer from 1 to 100')
}

/** Of a list that takes nothing but its page. */
export function definePageInput(isId: (text: string) => boolean, idFormat: string) {
  return defineInput(pageShape(isId, idFormat), { unknown: 'ignore' })
}

export type Page<Item> = { items: Item[]; hasMore: boolean }

/** Of limit + 1 rows that were read: the last one only tells that there are more. */
export function toPage<Item>(rows: Item[], limit: number): Page<Item> {
  return { items: rows.slice(0, limit), hasMore: rows.length > limit }
}
