/*
 * The same files that the REST API exports. The console is compiled apart from the server, so it has its own few lines of
 * CSV; a test compares the two files.
 */

export type ExportFormat = 'csv' | 'ndjson'

export const mediaTypes: Record<ExportFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

export type ExportRow = Record<string, unknown>

/** The lines of some rows. */
export function toLines(format: ExportFormat, rows: readonly ExportRow[], columns: readonly string[]): string {
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  return rows.map((row) => toCsvLine(columns.map((column) => cellOf(row, column)))).join('')
}

/** CSV begins with a byte order mark: without it, Excel reads the text in the machine's code page. */
export function headerOf(format: ExportFormat, columns: readonly string[]): string {
  return format === 'csv' ? `\uFEFF${toCsvLine(columns)}` : ''
}

/** Values of an entry's actor have columns of their own. */
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

/** Quotes a text that a spreadsheet would take for a formula. */
function escapeFormula(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
