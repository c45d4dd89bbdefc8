import type { Readable } from 'node:stream'
import { findEncodingFault, type Row, type ToLine } from '../../core/import-file/row.ts'
import { linesOf } from '../../core/streams.ts'
import type { Rows } from './rows.ts'

/** Reads lines with one JSON object each. Without a mapping, the lines are sent unchanged. */
export function readNdjson(file: Readable, toLine: ToLine | null): Rows {
  async function* rows(): AsyncGenerator<Row> {
    let number = 0
    for await (const value of linesOf(file)) {
      number++
      const text = number === 1 ? value.replace(/^\uFEFF/, '') : value
      if (text.trim() === '') continue
      const fault = findEncodingFault(text)
      const read = toLine ? toMappedRow(text, toLine) : { line: text, fault: null }
      yield { number, original: text, ...(fault === null ? read : { line: null, fault }) }
    }
  }
  return { header: null, delimiter: '', ignored: [], hasSeparatorLine: false, rows: rows() }
}

function toMappedRow(text: string, toLine: ToLine): Pick<Row, 'line' | 'fault'> {
  try {
    const object: unknown = JSON.parse(text)
    if (typeof object === 'object' && object !== null && !Array.isArray(object)) {
      return toLine(new Map(Object.entries(object)))
    }
  } catch {
    // The line is not JSON.
  }
  return { line: null, fault: 'it is not a JSON object.' }
}
