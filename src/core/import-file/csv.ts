import { type Row, type ToLine, wrongEncoding } from './row.ts'

/** For the parser, csv-parse. */
export const parserOptions = {
  bom: true,
  info: true,
  skip_empty_lines: true,
  // Spreadsheets write the delimiters of rows that were emptied.
  skip_records_with_empty_values: true,
  relax_column_count: true,
} as const

/** What the parser answers with `info`. */
export type Parsed = { record: string[]; info: { lines: number } }

/** The line with which a file tells Excel its delimiter: `sep=;`. */
const separatorLine = /^\uFEFF?"?sep=([^\r\n])"?(?:\r\n|\r|\n)/i

/** Such a line at the start of the text, and its delimiter; null without one. */
export function findSeparatorLine(text: string): { line: string; delimiter: string } | null {
  const [line, delimiter] = separatorLine.exec(text) ?? []
  return line === undefined || delimiter === undefined ? null : { line, delimiter }
}

/** The same line for a file that is written. */
export function toSeparatorLine(delimiter: string): string {
  return `sep=${delimiter}\n`
}

/** The names of the columns, from the first record. */
export function toHeader({ record }: Parsed): string[] {
  return record.map((column) => column.trim())
}

/** Makes rows of the records below the header. `skipped` is the number of lines above what was parsed. */
export function rowReader(header: readonly string[], skipped: number, toLine: ToLine): (parsed: Parsed) => Row {
  const isExported = ['created_at', 'updated_at'].every((column) => header.includes(column))
  const read = isExported ? readExported : readTyped
  return ({ record, info }) => {
    const values = new Map(header.map((column, index) => [column, record[index] && read(record[index])]))
    return { number: info.lines + skipped, original: record, ...(checkCells(record, header) ?? toLine(values)) }
  }
}

/** The service's exports put a quote before what a spreadsheet would calculate. So does whoever types such a text there. */
function readExported(cell: string): string {
  return /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell
}

/** In tables of people, spaces at the edges are oversights. */
function readTyped(cell: string): string {
  return readExported(cell.trim())
}

/** A cell too many means that a value has the delimiter in it, and so that cells are under the wrong names. */
function checkCells(record: readonly string[], header: readonly string[]): { line: null; fault: string } | null {
  const fault = wrongEncoding(record.join(''))
  if (fault !== null) return { line: null, fault }
  if (record.length <= header.length) return null
  return {
    line: null,
    fault: `it has ${record.length} cells, but there are ${header.length} columns. Put values with the delimiter in quotes.`,
  }
}
