import { z } from 'zod'
import { defineAnswer } from './answer.ts'

/** A number for people. Beyond `maxCounted` nobody counts on: it would take long, and says no more. */
export type Count = { value: number; isExact: boolean }

export const maxCounted = 10_000

export const countAnswer = defineAnswer<Count>('Count', `A number that is exact up to ${maxCounted}.`, {
  value: z.int().min(0).max(maxCounted).describe(`The number, or ${maxCounted} when there are more.`),
  is_exact: z.boolean().describe('Whether it is the number itself.'),
})

/** From rows that were counted to one more than `maxCounted`. */
export function toCount(rows: number): Count {
  return { value: Math.min(rows, maxCounted), isExact: rows <= maxCounted }
}
