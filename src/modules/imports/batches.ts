import { DomainError } from '../../core/errors.ts'
import { Slices } from '../../core/slices.ts'
import type { BulkLine, BulkLines } from '../../operation/operation.ts'
import { type ImportLine, parseImportLine } from './import-line.ts'
import { namedIn } from './import-result.ts'

/** A line as it was read; `refusal` if it is not one that can be applied. */
export type ReadLine = { number: number; subscriberId: string | null } & (
  | { line: ImportLine; refusal: null }
  | { line: null; refusal: DomainError }
)

/** The limits of a batch, which one transaction applies: it takes about a tenth of a second. */
const maxLines = 500
const maxBytes = 256 * 1024
const maxOverrides = 2_000
/** Lines that arrive slowly are applied before the next ones are there. */
const quietMs = 500

/** The lines in batches, parsed; a batch is as large as its limits allow, unless nothing more arrives for a moment. */
export async function* toBatches(lists: BulkLines['lists'], owner: string): AsyncGenerator<ReadLine[]> {
  const source = lists[Symbol.asyncIterator]()
  let batch = new Batch()
  try {
    let next = source.next()
    while (true) {
      if (batch.lines.length > 0 && (await isQuiet(next))) {
        yield batch.lines
        batch = new Batch()
      }
      const { value: list, done } = await next
      if (done) break
      const slices = new Slices(owner)
      for (const line of list) {
        batch.add(line)
        if (batch.isFull) {
          yield batch.lines
          batch = new Batch()
        }
        await slices.pause()
      }
      next = source.next()
    }
    if (batch.lines.length > 0) yield batch.lines
  } finally {
    await source.return?.()
  }
}

class Batch {
  readonly lines: ReadLine[] = []
  #bytes = 0
  #overrides = 0

  get isFull(): boolean {
    return this.lines.length >= maxLines || this.#bytes >= maxBytes || this.#overrides >= maxOverrides
  }

  add(given: BulkLine): void {
    const read = readLine(given)
    this.lines.push(read)
    this.#bytes += given.bytes
    this.#overrides += read.line?.overrides.size ?? 0
  }
}

function readLine({ number, read }: BulkLine): ReadLine {
  let raw: unknown
  try {
    raw = read()
    const line = parseImportLine(raw)
    return { number, subscriberId: line.id, line, refusal: null }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { number, subscriberId: namedIn(raw), line: null, refusal: error }
  }
}

async function isQuiet(next: Promise<unknown>): Promise<boolean> {
  const quiet = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => quiet.resolve(true), quietMs)
  // Its failure is thrown to whoever awaits it.
  const arrived = next.then(
    () => false,
    () => false,
  )
  try {
    return await Promise.race([arrived, quiet.promise])
  } finally {
    clearTimeout(timer)
  }
}
