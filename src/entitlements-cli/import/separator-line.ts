import type { Readable } from 'node:stream'
import { peek } from '../../core/peek.ts'

/** The line with which a file tells Excel its delimiter: `sep=;`. */
const separatorLine = /^\uFEFF?"?sep=([^\r\n])"?(?:\r\n|\r|\n)/i

/** Takes such a first line out of the file, and resolves to the delimiter; null without one. */
export async function findSeparator(file: Readable): Promise<string | null> {
  const start = Buffer.from(await peek(file))
  const [line, separator] = separatorLine.exec(start.toString('utf8')) ?? []
  if (line === undefined || separator === undefined) return null
  file.read()
  file.unshift(start.subarray(Buffer.byteLength(line)))
  return separator
}

/** The same line for a file that is written. */
export function toSeparatorLine(separator: string): string {
  return `sep=${separator}\n`
}
