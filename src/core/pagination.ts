import { z } from 'zod'
import { note } from './field-type.ts'
import { defineInput } from './input.ts'

export const defaultPageSize = 50
export const maxPageSize = 100

/** A request for a page: the number of items, and the id after which the page begins. */
export type PageInput = { limit: number; starting_after?: string | undefined }

/** The input fields of a page, which are `first` and `after` in GraphQL. The cursor is the last id of the previous page. */
export function pageFields(cursor: z.ZodType<string>) {
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

/** The input of an operation that lists pages and takes no other fields. */
export function definePageInput(cursor: z.ZodType<string>) {
  return defineInput(pageFields(cursor), { unknown: 'ignore' })
}

export type Page<Item> = { items: Item[]; hasMore: boolean }

/** Makes a page of rows that were read with `limit` + 1; an extra row means that there is a next page. */
export function toPage<Item>(rows: Item[], limit: number): Page<Item> {
  return { items: rows.slice(0, limit), hasMore: rows.length > limit }
}
