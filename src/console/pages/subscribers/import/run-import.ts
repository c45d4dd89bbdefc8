import { isServerError } from '../../../api/errors.ts'
import { request } from '../../../api/request.ts'
import { type ImportLineInput, ImportSubscribersDocument } from '../../../generated/import.ts'
import type { FileLine, LineItem } from './read-lines.ts'

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

/** What one request may hold. */
const maxLines = 1_000
const maxCharacters = 200_000

type Import = {
  organizationId: string
  isDryRun: boolean
  /** Ends it between two portions. */
  signal: AbortSignal
  onProgress(tally: Tally): void
}

/** Sends the lines in portions, and resolves to what became of them; when it is stopped, of those that were sent. */
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

async function sendPortion(portion: readonly FileLine[], options: Import): Promise<Tally> {
  const faults = portion.flatMap((line) =>
    line.fault === null ? [] : [{ line: line.number, subscriberId: line.subscriberId, message: line.fault }],
  )
  const readable = portion.flatMap(({ number, item }) => (item ? [{ number, item }] : []))
  const sent = readable.length === 0 ? nothing : await sendItems(readable, options)
  const refused = { ...nothing, lines: faults.length, failed: faults.length, errors: faults }
  const all = add(sent, refused)
  return { ...all, errors: all.errors.toSorted((one, other) => one.line - other.line) }
}

type Item = { number: number; item: LineItem }

/** A line that GraphQL does not take would refuse all of them: so halves are sent, until it is alone. */
async function sendItems(items: readonly Item[], options: Import): Promise<Tally> {
  const { organizationId, isDryRun } = options
  const input = { dryRun: isDryRun, lines: items.map(({ item }) => item as ImportLineInput) }
  try {
    const { importSubscribers } = await request(ImportSubscribersDocument, { input }, { organizationId })
    const { errors, ...counts } = importSubscribers
    const numbered = errors.map(({ line, ...error }) => ({ ...error, line: items[line - 1]?.number ?? line }))
    return { ...counts, errors: numbered }
  } catch (error) {
    if (!isServerError(error, 'VALIDATION_ERROR')) throw error
    const [first] = items
    if (first && items.length === 1) {
      return {
        ...nothing,
        lines: 1,
        failed: 1,
        errors: [{ line: first.number, subscriberId: first.item.subscriberId, message: error.message }],
      }
    }
    const half = Math.ceil(items.length / 2)
    return add(await sendItems(items.slice(0, half), options), await sendItems(items.slice(half), options))
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
