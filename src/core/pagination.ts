import { z } from 'zod'
import { note } from './field-type.ts'
import { defineInput } from './input.ts'

export const defaultPageSize = 50
export const maxPageSize = 100

/** A page request: the number of items, and the id after which it begins. */
export type PageInput = { limit: number; starting_after?: string | undefined }

/** The fields are `first` and `after` in GraphQL. The cursor is the id of the last item of the previous page. */
export function pageShape(cursor: z.ZodType<string>) {
  return {
    limit: note(pageSize(), {
      alias: 'first',
      meaning: `The number of items to list; more than ${maxPageSize} counts as ${maxPageSize}.`,
    }),
    starting_after: note(cursor.optional(), { alias: 'after' }),
  }
}

/** The number of items to return; more than `maxSize` counts as `maxSize`. */
export function pageSize(maxSize = maxPageSize, fallback = defaultPageSize) {
  return z
    .int()
    .min(1)
    .transform((limit) => Math.min(limit, maxSize))
    .default(fallback)
    .describe(`an integer from 1 to ${maxSize}`)
}

/** The input of a list that takes only a page. */
export function definePageInput(cursor: z.ZodType<string>) {
  return defineInput(pageShape(cursor), { unknown: 'ignore' })
}

export type Page<Item> = { items: Item[]; hasMore: boolean }

/** Reads limit + 1 rows; the extra row means there is a next page. */
export function toPage<Item>(rows: Item[], limit: number): Page<Item> {
  return { items: rows.slice(0, limit), hasMore: rows.length > limit }
}
