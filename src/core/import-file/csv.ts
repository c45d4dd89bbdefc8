import { findEncodingFault, type Row, type ToLine } from './row.ts'

/** Options for the parser, csv-parse. */
export const parserOptions = {
  bom: true,
  info: true,
  skip_empty_lines: true,
  // Spreadsheets write delimiters even for rows whose cells were emptied.
  skip_records_with_empty_values: true,
  relax_column_count: true,
} as const

/** The parser's result with the option `info`. */
export type ParsedRecord = { record: string[]; info: { lines: number } }

/** The line at the start of a file that sets the delimiter for Excel: `sep=;`. */
const separatorLine = /^\uFEFF?"?sep=([^\r\n])"?(?:\r\n|\r|\n)/i

/** The separator line at the start of the text, and its delimiter; null if there is none. */
export function findSeparatorLine(text: string): { line: string; delimiter: string } | null {
  const [line, delimiter] = separatorLine.exec(text) ?? []
  return line === undefined || delimiter === undefined ? null : { line, delimiter }
}

/** The separator line to write at the start of a file. */
export function toSeparatorLine(delimiter: string): string {
  return `sep=${delimiter}\n`
}

/** The names of the columns, from the first record. */
export function toHeader({ record }: ParsedRecord): string[] {
  return record.map((column) => column.trim())
}

/** Converts the records below the header to rows. `skipped` is the number of lines above the parsed text. */
export function rowReader(header: readonly string[], skipped: number, toLine: ToLine): (parsed: ParsedRecord) => Row {
  const isExported = ['created_at', 'updated_at'].every((column) => header.includes(column))
  const read = isExported ? readExportedCell : readHandTypedCell
  return ({ record, info }) => {
    const values = new Map(header.map((column, index) => [column, record[index] && read(record[index])]))
    return { number: info.lines + skipped, original: record, ...(findRecordFault(record, header) ?? toLine(values)) }
  }
}

/**
 * Removes the single quote before a text that a spreadsheet would run as a formula: the service's exports add this quote, and
 * so do people who type such a text into a spreadsheet.
 */
function readExportedCell(cell: string): string {
  return /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell
}

/** Also removes spaces at the edges, which are mistakes in tables that people maintain. */
function readHandTypedCell(cell: string): string {
  return readExportedCell(cell.trim())
}

/**
 * The fault if the row is not in UTF-8 or has too many cells, otherwise null. With too many cells, some value contains the
 * delimiter, so the cells after it are in the wrong columns.
 */
function findRecordFault(record: readonly string[], header: readonly string[]): { line: null; fault: string } | null {
  const fault = findEncodingFault(record.join(''))
  if (fault !== null) return { line: null, fault }
  if (record.length <= header.length) return null
  return {
    line: null,
    fault: `it has ${record.length} cells, but there are ${header.length} columns. Put values that contain the delimiter in quotes.`,
  }
}
