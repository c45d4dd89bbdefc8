import { z } from 'zod'
import { defineAnswer } from './answer.ts'

/** A number for people to read, or its lower bound: counting beyond `maxCounted` would take long and help nobody. */
export type Count = { value: number; isExact: boolean }

export const maxCounted = 10_000

export const countAnswer = defineAnswer<Count>('Count', `A count, exact up to ${maxCounted}.`, {
  value: z.int().min(0).max(maxCounted).describe('The number, or a lower bound if it is not exact.'),
  is_exact: z.boolean().describe('Whether the number is exact.'),
})

/** `rows` is a count that stops at `maxCounted` + 1. */
export function toCount(rows: number): Count {
  return { value: Math.min(rows, maxCounted), isExact: rows <= maxCounted }
}
