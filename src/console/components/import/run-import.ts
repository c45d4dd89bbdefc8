import type { Row } from '../../../core/import-file/row.ts'
import { ImportSubscribersDocument } from '../../generated/import.ts'
import { request } from '../../session/request.ts'

/**
 * A row of the file: its number, and the line to send; if there is none, the fault that prevents it. `precedingLine` is sent
 * before the line, in the same batch; the tally counts both as one.
 */
export type FileRow = Pick<Row, 'number' | 'line' | 'fault'> & { precedingLine?: object }

export type LineError = { line: number; subscriberId: string | null; message: string }

export type Tally = {
  lines: number
  created: number
  updated: number
  unchanged: number
  failed: number
  errors: LineError[]
}

export const emptyTally: Tally = { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] }

/** The limits of one request. */
export const maxLines = 1_000
const maxCharacters = 200_000

type Import = {
  organizationId: string
  isDryRun: boolean
  /** Stops the import between two batches. */
  signal: AbortSignal
  onProgress(tally: Tally): void
}

type SentRow = { number: number; text: string }

/** Sends the rows in batches. Resolves to the tally of all rows, or of the finished batches if the import was stopped. */
export async function runImport(rows: readonly FileRow[], options: Import): Promise<Tally> {
  let tally = emptyTally
  for (const batch of toBatches(rows)) {
    if (options.signal.aborted) break
    tally = addTallies(tally, await sendBatch(batch, options))
    options.onProgress(tally)
  }
  return tally
}

type Batch = { sent: SentRow[]; faults: LineError[] }

function* toBatches(rows: readonly FileRow[]): Generator<Batch> {
  let currentBatch: Batch = { sent: [], faults: [] }
  let characters = 0
  for (const { number, line, fault, precedingLine } of rows) {
    const texts = [...(precedingLine ? [precedingLine] : []), line].map(toText)
    const length = texts.join('').length
    const isFull = currentBatch.sent.length + currentBatch.faults.length + texts.length > maxLines
    if (isFull || (currentBatch.sent.length > 0 && characters + length > maxCharacters)) {
      yield currentBatch
      currentBatch = { sent: [], faults: [] }
      characters = 0
    }
    if (line === null) {
      currentBatch.faults.push({ line: number, subscriberId: null, message: fault ?? '' })
    } else {
      currentBatch.sent.push(...texts.map((text) => ({ number, text })))
      characters += length
    }
  }
  yield currentBatch
}

function toText(line: FileRow['line']): string {
  return typeof line === 'string' ? line : JSON.stringify(line)
}

async function sendBatch({ sent, faults }: Batch, { organizationId, isDryRun }: Import): Promise<Tally> {
  const refused = { ...emptyTally, lines: faults.length, failed: faults.length, errors: faults }
  if (sent.length === 0) return refused
  const input = { dryRun: isDryRun, withEach: true, text: sent.map(({ text }) => text).join('\n') }
  const { importSubscribers } = await request(ImportSubscribersDocument, { input }, { organizationId })
  const { errors, ...counts } = importSubscribers
  const numbered = errors.map((error) => ({ ...error, line: sent[error.line - 1]?.number ?? error.line }))
  // A row counts once, even if it has a preceding line.
  const errorOfRow = new Map(numbered.map((error) => [error.line, error]))
  const lines = new Set(sent.map(({ number }) => number)).size
  const failed = counts.failed - (numbered.length - errorOfRow.size)
  const tally = addTallies(refused, { ...counts, lines, failed, errors: [...errorOfRow.values()] })
  return { ...tally, errors: tally.errors.sort((a, b) => a.line - b.line) }
}

function addTallies(one: Tally, other: Tally): Tally {
  return {
    lines: one.lines + other.lines,
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
    failed: one.failed + other.failed,
    errors: [...one.errors, ...other.errors],
  }
}
