import { isPlainObject } from '../core/json.ts'
import { isSliceOver } from '../fairness/loop-slices.ts'
import type { Budget } from './budget.ts'

/** The maximum number of concurrent reads of a request, which shares connections and memory with all other requests. */
const maxAtOnce = 2

/** Returns a function that runs the reads of a request, a few at a time, and counts the loaded rows and bytes. */
export function createLoader(budget: Budget) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function load<Result>(read: () => Promise<Result>): Promise<Result> {
    if (running === maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      // Throws if the budget is exceeded, so that no waiting read starts.
      budget.countLoaded(0, 0)
      const loaded = await read()
      // Starts the loop slice here, because measuring many rows takes time too.
      isSliceOver()
      const { rows, bytes } = measureSize(loaded)
      budget.countLoaded(rows, bytes)
      return loaded
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

type Size = { rows: number; bytes: number }

/** `rows` counts the objects in lists and maps; `bytes` is the size of all strings in the loaded data. */
function measureSize(loaded: unknown): Size {
  const size = { rows: 0, bytes: 0 }
  addSize(loaded, size)
  return size
}

function addSize(value: unknown, size: Size): void {
  if (typeof value === 'string') {
    size.bytes += Buffer.byteLength(value)
  } else if (Array.isArray(value) || value instanceof Map) {
    for (const item of value.values()) {
      if (isPlainObject(item)) size.rows += 1
      addSize(item, size)
    }
  } else if (isPlainObject(value) && !ArrayBuffer.isView(value)) {
    for (const field of Object.values(value)) addSize(field, size)
  }
}
