import { ImportSubscribersDocument } from '../../generated/import.ts'
import { request } from '../../session/request.ts'

/** A line of the file, which is a JSON object. */
export type FileLine = { number: number; text: string }

export type LineError = { line: number; subscriberId: string | null; message: string }

export type Tally = {
  lines: number
  created: number
  updated: number
  unchanged: number
  failed: number
  errors: LineError[]
}

export const nothing: Tally = { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] }

/** The limits of one request. */
export const maxLines = 1_000
const maxCharacters = 200_000

type Import = {
  organizationId: string
  isDryRun: boolean
  /** Stops it between two portions. */
  signal: AbortSignal
  onProgress(tally: Tally): void
}

/** Sends the lines in portions, and resolves to their outcome; when stopped, to that of the lines that were sent. */
export async function runImport(lines: readonly FileLine[], options: Import): Promise<Tally> {
  let tally = nothing
  for (const portion of toPortions(lines)) {
    if (options.signal.aborted) break
    tally = add(tally, await sendPortion(portion, options))
    options.onProgress(tally)
  }
  return tally
}

function* toPortions(lines: readonly FileLine[]): Generator<FileLine[]> {
  let portion: FileLine[] = []
  let characters = 0
  for (const line of lines) {
    if (portion.length === maxLines || (portion.length > 0 && characters + line.text.length > maxCharacters)) {
      yield portion
      portion = []
      characters = 0
    }
    portion.push(line)
    characters += line.text.length
  }
  if (portion.length > 0) yield portion
}

async function sendPortion(portion: readonly FileLine[], { organizationId, isDryRun }: Import): Promise<Tally> {
  const input = { dryRun: isDryRun, text: portion.map(({ text }) => text).join('\n') }
  const { importSubscribers } = await request(ImportSubscribersDocument, { input }, { organizationId })
  const { errors, ...counts } = importSubscribers
  return {
    ...counts,
    errors: errors.map((error) => ({ ...error, line: portion[error.line - 1]?.number ?? error.line })),
  }
}

function add(one: Tally, other: Tally): Tally {
  return {
    lines: one.lines + other.lines,
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
    failed: one.failed + other.failed,
    errors: [...one.errors, ...other.errors],
  }
}
