/*
 * Writes the same files as the exports of the REST API. The console is compiled separately from the server, so it has its own
 * code for CSV; a test compares the files of both.
 */

export type ExportFormat = 'csv' | 'ndjson'

export const mediaTypes: Record<ExportFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

export type ExportRow = Record<string, unknown>

/** Converts rows to lines of the file. */
export function toLines(format: ExportFormat, rows: readonly ExportRow[], columns: readonly string[]): string {
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  return rows.map((row) => toCsvLine(columns.map((column) => cellOf(row, column)))).join('')
}

/** The start of the file. CSV needs a byte order mark: without it, Excel decodes the text with the computer's code page. */
export function toHeader(format: ExportFormat, columns: readonly string[]): string {
  return format === 'csv' ? `\uFEFF${toCsvLine(columns)}` : ''
}

/** The value of a column. The columns of an audit entry include the fields of its `actor`. */
function cellOf(row: ExportRow, column: string): unknown {
  return column in row ? row[column] : (row.actor as ExportRow | undefined)?.[column]
}

function toCsvLine(values: readonly unknown[]): string {
  return `${values.map((value) => quote(escapeFormula(toText(value)))).join(',')}\r\n`
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Puts an apostrophe before a text that a spreadsheet would treat as a formula. */
function escapeFormula(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
