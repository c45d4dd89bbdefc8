import { parse } from 'csv-parse/browser/esm/sync'
import { findSeparatorLine, type ParsedRecord, parserOptions, toHeader } from '../../../../core/import-file/csv.ts'
import type { FileLayout } from '../../../../core/import-file/refused-rows.ts'
import { delimiters } from './delimiters.ts'

/** A CSV file: the names of its columns, and the records below them. */
export type CsvTable = FileLayout & {
  header: readonly string[]
  records: readonly ParsedRecord[]
  /** The number of lines above the header: 1 if the file begins with a separator line such as `sep=;`, else 0. */
  skipped: number
}

/**
 * Parses a CSV text. Throws an error that names the line if the text is not CSV. Guesses the delimiter if `given` is absent.
 */
export function readTable(text: string, given?: string): CsvTable {
  const separator = findSeparatorLine(text)
  const csv = separator ? text.slice(separator.line.length) : text
  const delimiter = given ?? separator?.delimiter ?? guessDelimiter(csv)
  const [first, ...records] = parse(csv, { ...parserOptions, delimiter }) as unknown as ParsedRecord[]
  if (!first) throw new Error('This file is empty. Its first line must have the names of the columns.')
  return {
    header: toHeader(first),
    records,
    delimiter,
    hasSeparatorLine: separator !== null,
    skipped: separator ? 1 : 0,
  }
}

/** The delimiter that occurs most often in the first line: in some countries, spreadsheets write semicolons. */
function guessDelimiter(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1)
  const countOf = (delimiter: string) => line.split(delimiter).length
  return delimiters.reduce((best, each) => (countOf(each) > countOf(best) ? each : best))
}
