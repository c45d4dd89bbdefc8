import { z } from 'zod'
import { defineAnswer } from './answer.ts'

/** A number for people, or the least that it can be: to count on beyond `maxCounted` would take long, and says no more. */
export type Count = { value: number; isExact: boolean }

export const maxCounted = 10_000

export const countAnswer = defineAnswer<Count>('Count', `A number that is exact up to ${maxCounted}.`, {
  value: z.int().min(0).max(maxCounted).describe('The number; if it is not exact, there are at least as many.'),
  is_exact: z.boolean().describe('Whether it is the number itself.'),
})

/** From rows that were counted to one more than `maxCounted`. */
export function toCount(rows: number): Count {
  return { value: Math.min(rows, maxCounted), isExact: rows <= maxCounted }
}
