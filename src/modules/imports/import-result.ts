import { defineAnswer, listFrom } from '../../core/answer.ts'
import { countField, jsonObjectField, textField } from '../../core/answer-fields.ts'
import { DomainError } from '../../core/errors.ts'
import { maxNameLength } from '../../core/fields.ts'
import { isPlainObject, isSameJson } from '../../core/json.ts'

export type ImportError = {
  line: number
  /** The subscriber id of the line, if it is text. */
  subscriberId: string | null
  code: string
  message: string
  details: Record<string, unknown> | null
}

type LineResult = 'created' | 'updated' | 'unchanged' | DomainError

/** The changes of a line, for its entry in the audit log. */
type LineDetails = Record<string, unknown> | null

export type LineOutcome = { result: LineResult; details: LineDetails }

type ImportCounts = Record<'lines' | 'created' | 'updated' | 'unchanged' | 'failed', number>
export type ImportResult = ImportCounts & { errors: ImportError[] }

const maxErrors = 1_000
/** The maximum size of all errors. They may be large, because refusals quote the input, and a line may have many errors. */
const maxErrorBytes = 4 * 1024 * 1024

const lineCount = () => countField()

export const importErrorAnswer = defineAnswer<ImportError>('ImportError', 'A line that was not applied, and why.', {
  line: lineCount().describe('The number of the line, from 1; empty lines count too.'),
  subscriber_id: textField(0, maxNameLength)
    .nullable()
    .describe('The subscriber id of the line; null if the line could not be read.'),
  code: textField(1, 64).describe('The error code that the operation for a single subscriber would answer with.'),
  message: textField(1, 100_000).describe('What is wrong, and what to do.'),
  details: jsonObjectField().nullable().describe('The details of the error. Field paths are relative to the line.'),
})

const counts = {
  lines: lineCount().describe('The number of lines that were read, without empty lines.'),
  created: lineCount().describe('The number of lines that created a subscriber.'),
  updated: lineCount().describe('The number of lines that changed a subscriber.'),
  unchanged: lineCount().describe('The number of lines that matched what was already stored.'),
  failed: lineCount().describe('The number of lines that were refused, and changed nothing.'),
}

export const importProgressAnswer = defineAnswer<ImportCounts>('ImportProgress', 'The progress of an import.', counts)

export const importAnswer = defineAnswer<ImportResult>('ImportResult', 'The result of an import.', {
  ...counts,
  errors: listFrom('errors', importErrorAnswer, 'The first 1,000 errors, at most 4 MiB.', maxErrors),
})

/** Counts the results of lines, and collects the first errors and the change that all changed lines have in common. */
export class ImportTally {
  readonly counts: ImportCounts = { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }
  readonly #errors: ImportError[] = []
  #errorBytes = 0
  /** Undefined before the first changed line; null once two lines have made different changes. */
  #commonChange: LineDetails | undefined

  add(line: { number: number; subscriberId: string | null }, { result, details: changes }: LineOutcome): void {
    this.counts.lines += 1
    if (result === 'created' || result === 'updated') this.#addChange(changes)
    if (!(result instanceof DomainError)) {
      this.counts[result] += 1
      return
    }
    this.counts.failed += 1
    if (this.#errors.length >= maxErrors || this.#errorBytes >= maxErrorBytes) return
    const { code, message, details } = result
    const error = { line: line.number, subscriberId: line.subscriberId, code, message, details }
    this.#errorBytes += JSON.stringify(error).length
    if (this.#errorBytes < maxErrorBytes) this.#errors.push(error)
  }

  #addChange(changes: LineDetails): void {
    if (this.#commonChange === null) return
    const values = toNewValues(changes)
    if (this.#commonChange === undefined) this.#commonChange = values
    else if (!isSameJson(this.#commonChange, values)) this.#commonChange = null
  }

  get result(): ImportResult {
    return { ...this.counts, errors: this.#errors }
  }

  /** The values that every changed line set, if they are the same in all lines. */
  get each(): { each: Record<string, unknown> } | null {
    return this.#commonChange ? { each: this.#commonChange } : null
  }
}

/** The new values of a line's fields, and of its overrides by feature. */
function toNewValues(details: LineDetails): LineDetails {
  if (details === null) return null
  const { overrides, ...fields } = details
  return { ...newValues(fields), ...(isPlainObject(overrides) && { overrides: newValues(overrides) }) }
}

function newValues(changes: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, (change as { to: unknown }).to]))
}

/** The subscriber id of a line, if it has one; truncated and with U+0000 replaced, so that it can be shown. */
export function readSubscriberIdOfLine(raw: unknown): string | null {
  const id = isPlainObject(raw) ? raw.subscriber_id : undefined
  return typeof id === 'string'
    ? [
        ...id
          .slice(0, 2 * maxNameLength)
          .toWellFormed()
          .replaceAll('\0', '\ufffd'),
      ]
        .slice(0, maxNameLength)
        .join('')
    : null
}
