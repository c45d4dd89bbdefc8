import type { Readable } from 'node:stream'
import { findSeparatorLine } from '../../core/import-file/csv.ts'
import { peek } from '../../core/streams.ts'

/** Removes a first line that names the delimiter from the file, and resolves to the delimiter; null without such a line. */
export async function removeSeparatorLine(file: Readable): Promise<string | null> {
  const start = Buffer.from(await peek(file))
  const found = findSeparatorLine(start.toString('utf8'))
  if (found === null) return null
  file.read()
  file.unshift(start.subarray(Buffer.byteLength(found.line)))
  return found.delimiter
}
