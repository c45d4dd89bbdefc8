import { isUtf8 } from 'node:buffer'
import { DomainError } from '../core/errors.ts'
import { readLines } from '../http/read-lines.ts'
import type { BulkLine } from './bulk-write.ts'

export const maxLineBytes = 64 * 1024

/** Contract: Import 6. */
const lineLimits = {
  maxLineBytes,
  idleMs: 30_000,
  minBytes: 16 * 1024,
  maxEmptyBytes: 16 * 1024 * 1024,
}

/** Splits a text that arrives in parts into lines; each holds a JSON value, which is parsed when `read` is called. */
export async function* readBulkLines(parts: AsyncIterable<Buffer>): AsyncGenerator<BulkLine[]> {
  for await (const lines of readLines(parts, lineLimits)) {
    yield lines.map(({ number, text }) => ({ number, bytes: text?.length ?? 0, read: () => parseLine(text) }))
  }
}

function parseLine(text: Buffer | null): unknown {
  if (!text) throw new DomainError('BODY_TOO_LARGE', `The line is over the limit of ${maxLineBytes} bytes.`)
  try {
    if (!isUtf8(text)) throw new SyntaxError('not UTF-8')
    return JSON.parse(text.toString())
  } catch (error) {
    throw new DomainError('INVALID_JSON', 'The line is not valid JSON in UTF-8.', null, error)
  }
}
