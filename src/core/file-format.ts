/*
 * The format of a file to import. The server's commands, the command line and the console each contain a compiled copy of
 * this file.
 */

export type FileFormat = 'workbook' | 'utf-16' | 'csv' | 'array' | 'document' | 'ndjson'

/** Describes each format, and how to convert a file that cannot be imported. */
export const formatHints: Readonly<Record<FileFormat, string>> = {
  workbook: 'This is a spreadsheet workbook. Save it as "CSV UTF-8".',
  'utf-16': 'This is text in UTF-16. Save it in UTF-8.',
  csv: 'This is a CSV file.',
  array: 'This is a JSON array. Write each of its objects on a line of its own: jq -c ".[]"',
  document: 'This is JSON over several lines. Write each object on one line: jq -c .',
  ndjson: 'This is NDJSON: a JSON object on each line.',
}

/** Recognizes the format by the first bytes of a file; null if they do not reveal it. */
export function recognizeFormat(start: Uint8Array): FileFormat | null {
  const [a = 0, b = 0] = start
  // A ZIP archive, or a file of an old version of Excel.
  if ((a === 0x50 && b === 0x4b) || (a === 0xd0 && b === 0xcf)) return 'workbook'
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'utf-16'
  const text = new TextDecoder().decode(start).trimStart()
  const [line = ''] = text.split(/\r?\n/, 1)
  if (/^\{\s*$/.test(line) && line.length < text.length) return 'document'
  if (text.startsWith('{')) return 'ndjson'
  if (/^\[\s*[{\]]/.test(text)) return 'array'
  return !isJson(line) && /[,;\t]|subscriber_id/.test(line) ? 'csv' : null
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
