import { StoredJson } from './stored-json.ts'

/** One line of a CSV file (RFC 4180), including the line break. */
export function toCsvLine(values: readonly unknown[]): string {
  return `${values.map((value) => quote(escapeFormula(toText(value)))).join(',')}\r\n`
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (value instanceof StoredJson) return value.text
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Puts a single quote before a text that a spreadsheet would run as a formula, because anyone who names a subscriber could
 * write a formula that sends data elsewhere. Texts that already begin with quotes before such a character get one more, so that
 * a reader of the file can always remove exactly one quote.
 */
function escapeFormula(text: string): string {
  return /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
