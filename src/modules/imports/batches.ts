import { DeadlineExceeded, withDeadline } from '../../core/deadline.ts'
import { DomainError } from '../../core/errors.ts'
import { pauseAfterSlices } from '../../fairness/loop-slices.ts'
import type { BulkLine, BulkLines } from '../../operation/operation.ts'
import { type ImportLine, parseImportLine } from './import-line.ts'
import { readSubscriberIdOfLine } from './import-result.ts'

/** A line after parsing; `refusal` is set if the line is invalid. */
export type ReadLine = { number: number; subscriberId: string | null } & (
  | { line: ImportLine; refusal: null }
  | { line: null; refusal: DomainError }
)

/** The limits of a batch. The lines stay text until the batch has a slot, so that a waiting import uses little memory. */
const maxLines = 500
const maxBytes = 64 * 1024
/** A batch that is not full is applied this long after its first line. */
const maxFillMs = 500

/** Groups lines into batches, as large as the limits allow, unless the first line of a batch has waited too long. */
export async function* toBatches(lists: BulkLines['lists'], owner: string): AsyncGenerator<BulkLine[]> {
  const source = lists[Symbol.asyncIterator]()
  const pause = pauseAfterSlices(owner)
  let batch = new Batch()
  try {
    let next = source.next()
    while (true) {
      if (batch.lines.length > 0 && (await isPendingAt(next, batch.begunAt + maxFillMs))) {
        yield batch.lines
        batch = new Batch()
      }
      const { value: list, done } = await next
      if (done) break
      for (const line of list) {
        batch.add(line)
        if (!batch.isFull) continue
        yield batch.lines
        batch = new Batch()
      }
      // Pause even after an empty list: finding line ends takes time too.
      await pause()
      next = source.next()
    }
    if (batch.lines.length > 0) yield batch.lines
  } finally {
    await source.return?.()
  }
}

class Batch {
  readonly lines: BulkLine[] = []
  /** When the first line was added, as a time of `performance.now()`. */
  begunAt = 0
  #bytes = 0

  get isFull(): boolean {
    return this.lines.length >= maxLines || this.#bytes >= maxBytes
  }

  add(line: BulkLine): void {
    if (this.lines.length === 0) this.begunAt = performance.now()
    this.lines.push(line)
    this.#bytes += line.bytes
  }
}

/** A transaction with at least this many overrides gets no more lines. It takes about a tenth of a second. */
const maxOverrides = 2_000

/** Parses the lines and splits them into transactions. */
export async function parseBatch(lines: readonly BulkLine[], owner: string): Promise<ReadLine[][]> {
  const pause = pauseAfterSlices(owner)
  const transactions: ReadLine[][] = []
  let overrides = maxOverrides
  for (const line of lines) {
    if (overrides >= maxOverrides) {
      transactions.push([])
      overrides = 0
    }
    const parsed = readLine(line)
    transactions.at(-1)?.push(parsed)
    overrides += parsed.line?.overrides.size ?? 0
    await pause()
  }
  return transactions
}

function readLine({ number, read }: BulkLine): ReadLine {
  let raw: unknown
  try {
    raw = read()
    const line = parseImportLine(raw)
    return { number, subscriberId: line.id, line, refusal: null }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { number, subscriberId: readSubscriberIdOfLine(raw), line: null, refusal: error }
  }
}

/** Whether `next` is still pending at this time. If it rejects, only code that awaits `next` itself sees the error. */
async function isPendingAt(next: Promise<unknown>, moment: number): Promise<boolean> {
  try {
    await withDeadline(moment, next)
    return false
  } catch (error) {
    return error instanceof DeadlineExceeded
  }
}
