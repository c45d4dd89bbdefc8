import { isPlainObject } from '../core/json.ts'
import { isSliceOver } from '../fairness/loop-slices.ts'
import type { Budget } from './budget.ts'

/** Concurrent reads of one request: they share connections and memory with all other requests. */
const maxAtOnce = 2

/** Runs the reads of one request, a few at a time, and counts the rows and bytes that each loads. */
export function createLoader(budget: Budget) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function load<Result>(read: () => Promise<Result>): Promise<Result> {
    if (running === maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      // Throws once the budget is spent, so that no waiting read starts.
      budget.countLoaded(0, 0)
      const loaded = await read()
      // Weighing many rows is the first part of the work on them.
      isSliceOver()
      const { rows, bytes } = weigh(loaded)
      budget.countLoaded(rows, bytes)
      return loaded
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

type Weight = { rows: number; bytes: number }

/** Rows are the objects in lists and maps; bytes are those of all strings in the loaded data. */
function weigh(loaded: unknown): Weight {
  const weight = { rows: 0, bytes: 0 }
  add(loaded, weight)
  return weight
}

function add(value: unknown, weight: Weight): void {
  if (typeof value === 'string') {
    weight.bytes += Buffer.byteLength(value)
  } else if (Array.isArray(value) || value instanceof Map) {
    for (const item of value.values()) {
      if (isPlainObject(item)) weight.rows += 1
      add(item, weight)
    }
  } else if (isPlainObject(value) && !ArrayBuffer.isView(value)) {
    for (const field of Object.values(value)) add(field, weight)
  }
}
