import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Row, Rows, ToLine } from './row.ts'

/** Lines with a JSON object each. Without a mapping they are sent as they are. */
export function readNdjson(file: Readable, toLine: ToLine | null): Rows {
  async function* rows(): AsyncGenerator<Row> {
    const lines = createInterface({ input: file, crlfDelay: Infinity })
    const failed = new Promise<never>((_, reject) => file.once('error', reject))
    failed.catch(() => {})
    const each = lines[Symbol.asyncIterator]()
    let number = 0
    for (;;) {
      const { done, value } = await Promise.race([each.next(), failed])
      if (done) return
      number++
      const text = number === 1 ? value.replace(/^\uFEFF/, '') : value
      if (text.trim() === '') continue
      yield { number, original: text, ...(toLine ? toMapped(text, toLine) : { line: text, fault: null }) }
    }
  }
  return { header: null, rows: rows() }
}

function toMapped(text: string, toLine: ToLine): Pick<Row, 'line' | 'fault'> {
  try {
    const object: unknown = JSON.parse(text)
    if (typeof object === 'object' && object !== null && !Array.isArray(object)) {
      return toLine(new Map(Object.entries(object)))
    }
  } catch {
    // Not JSON.
  }
  return { line: null, fault: 'it is not a JSON object.' }
}
